// The replay's clock: one time, shown by the 3-D view, the scrub bar and all plots.
import { nearestRow, rowAt } from './timeline';

export const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Player {
  readonly start: number;
  readonly end: number;
  time: number;
  playing = false;
  loop = false;
  speed = 1;
  private readonly listeners: (() => void)[] = [];
  private lastFrame = 0;

  constructor(readonly times: Float32Array) {
    this.start = times[0];
    this.end = times[times.length - 1];
    this.time = this.start;
  }

  get duration(): number {
    return this.end - this.start;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.tellAll();
  }

  toggle(): void {
    this.playing = !this.playing && this.duration > 0;
    if (this.playing) {
      if (this.time >= this.end) this.time = this.start;
      this.lastFrame = performance.now();
      requestAnimationFrame(this.advance);
    }
    this.tellAll();
  }

  /** To the recorded instant before (−1) or after (+1) this one. */
  step(direction: -1 | 1): void {
    this.playing = false;
    let row = direction > 0 ? rowAt(this.times, this.time) : nearestRow(this.times, this.time);
    while (row > 0 && direction < 0 && this.times[row] >= this.time) --row;
    while (row + 1 < this.times.length && direction > 0 && this.times[row] <= this.time) ++row;
    this.seek(this.times[row]);
  }

  setLoop(loop: boolean): void {
    this.loop = loop;
    this.tellAll();
  }

  /** One speed slower (−1) or faster (+1). */
  changeSpeed(direction: -1 | 1): void {
    const index = speeds.indexOf(this.speed) + direction;
    this.speed = speeds[Math.min(speeds.length - 1, Math.max(0, index))];
    this.tellAll();
  }

  private readonly advance = (now: number): void => {
    if (!this.playing) return;
    // a tab that slept does not jump ahead
    const elapsed = Math.min(0.1, Math.max(0, (now - this.lastFrame) / 1000));
    this.lastFrame = now;
    let time = this.time + elapsed * this.speed;
    if (time >= this.end) {
      this.playing = this.loop;
      time = this.loop ? this.start : this.end;
    }
    this.seek(time);
    requestAnimationFrame(this.advance);
  };

  private tellAll(): void {
    for (const listener of this.listeners) listener();
  }
}
