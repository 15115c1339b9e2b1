// The part of the run that all time plots show.

export class TimeWindow {
  min: number;
  max: number;
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly start: number,
    private readonly end: number,
  ) {
    this.min = start;
    this.max = end;
  }

  get whole(): boolean {
    return this.min === this.start && this.max === this.end;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  show(from: number, to: number): void {
    const least = (this.end - this.start) * 1e-6;
    const min = Math.max(this.start, Math.min(from, to));
    const max = Math.min(this.end, Math.max(from, to));
    if (max - min < least) return;
    this.min = min;
    this.max = max;
    for (const listener of this.listeners) listener();
  }

  showAll(): void {
    this.show(this.start, this.end);
  }

  /** Shows `factor` times as much, with `time` in the middle. */
  scale(factor: number, time: number): void {
    const half = ((this.max - this.min) / 2) * factor;
    const center = Math.min(this.end - half, Math.max(this.start + half, time));
    this.show(center - half, center + half);
  }
}
