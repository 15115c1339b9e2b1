// The instant under the mouse, common to all plots; null when it is on none.

export class Crosshair {
  time: number | null = null;
  private readonly listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  moveTo(time: number | null): void {
    if (time === this.time) return;
    this.time = time;
    for (const listener of this.listeners) listener();
  }
}
