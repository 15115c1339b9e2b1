// A value inside the report's JSON that knows where it stands, so that a wrong one can be named.

export class ReportError extends Error {}

export class Item {
  constructor(
    private readonly value: unknown,
    private readonly path: string,
  ) {}

  get missing(): boolean {
    return this.value === undefined || this.value === null;
  }

  get isNumber(): boolean {
    return typeof this.value === 'number';
  }

  at(key: string): Item {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) {
      throw this.wrong('an object');
    }
    const inside = (this.value as Record<string, unknown>)[key];
    return new Item(inside, this.path === '' ? key : `${this.path}.${key}`);
  }

  /** The entries of a list; none when the list is missing. */
  list(): Item[] {
    if (this.missing) return [];
    if (!Array.isArray(this.value)) throw this.wrong('a list');
    return this.value.map((entry, index) => new Item(entry, `${this.path}[${index}]`));
  }

  text(fallback?: string): string {
    if (this.missing && fallback !== undefined) return fallback;
    if (typeof this.value !== 'string') throw this.wrong('a text');
    return this.value;
  }

  flag(fallback: boolean): boolean {
    if (this.missing) return fallback;
    if (typeof this.value !== 'boolean') throw this.wrong('true or false');
    return this.value;
  }

  number(fallback?: number): number {
    if (this.missing && fallback !== undefined) return fallback;
    if (typeof this.value !== 'number') throw this.wrong('a number');
    return this.value;
  }

  /** A whole number from `least` to below `end`. */
  index(least: number, end: number): number {
    const value = this.number();
    if (!Number.isInteger(value) || value < least || value >= end) {
      throw this.wrong(`a whole number from ${least} to ${end - 1}`);
    }
    return value;
  }

  vector(size: number, fallback?: number[]): number[] {
    if (this.missing && fallback !== undefined) return fallback;
    const values = this.list().map((entry) => entry.number());
    if (values.length !== size) throw this.wrong(`${size} numbers`);
    return values;
  }

  oneOf<Word extends string>(words: readonly Word[]): Word {
    const found = words.find((word) => word === this.value);
    if (found === undefined) throw this.wrong(`one of ${words.join(', ')}`);
    return found;
  }

  /** What a table's cell may hold. */
  cell(): string | number | null {
    if (this.missing) return null;
    if (typeof this.value === 'string' || typeof this.value === 'number') return this.value;
    throw this.wrong('a text or a number');
  }

  /** Numbers packed as "f32:" and base64 of little-endian single precision, `count` if given. */
  floats(count?: number): Float32Array {
    const bytes = this.bytes(this.packed(count).slice(4));
    if (bytes.byteLength % 4 !== 0) throw this.wrong('whole numbers of four bytes each');
    return new Float32Array(bytes);
  }

  /** Whole numbers of 16 bits, little endian, packed as "u16:" and base64. */
  shorts(): Uint16Array {
    const bytes = this.bytes(this.after('u16:'));
    if (bytes.byteLength % 2 !== 0) throw this.wrong('whole numbers of two bytes each');
    return new Uint16Array(bytes);
  }

  /** Numbers of vertices below `end`, packed as "var:" and base64: each counted back from the first
   * vertex that has not been used, seven bits in a byte, the lowest first, 128 where more follow. */
  corners(end: number): Uint32Array {
    const bytes = new Uint8Array(this.bytes(this.after('var:')));
    const values = new Uint32Array(bytes.length);
    let [count, next, back, shift] = [0, 0, 0, 1];
    for (const byte of bytes) {
      back += (byte & 127) * shift;
      shift *= 128;
      if (byte >= 128) continue;
      const value = next - back;
      if (value < 0 || value >= end) {
        throw new ReportError(`${this.path} must hold whole numbers from 0 to ${end - 1}.`);
      }
      if (back === 0) ++next;
      values[count++] = value;
      [back, shift] = [0, 1];
    }
    return values.slice(0, count);
  }

  /** As `floats`, or one number for a constant; unpacked when first asked for. */
  column(count: number): { zero: boolean; values(): Float32Array } {
    let made: Float32Array | null = null;
    if (typeof this.value === 'number') {
      const constant = this.value;
      return {
        zero: constant === 0,
        values: () => (made ??= new Float32Array(count).fill(constant)),
      };
    }
    // base64 of zeros
    const zero = /^f32:A*=*$/.test(this.packed(count));
    return { zero, values: () => (made ??= this.floats()) };
  }

  /** The text of packed numbers, whose count is known from its length. */
  private packed(count?: number): string {
    const text = `f32:${this.after('f32:')}`;
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    const found = (((text.length - 4) / 4) * 3 - padding) / 4;
    if (count !== undefined && Number.isInteger(found) && found !== count) {
      throw new ReportError(`${this.path} holds ${found} numbers where ${count} are expected.`);
    }
    return text;
  }

  /** The text behind its first letters. */
  private after(start: string): string {
    const text = this.text();
    if (!text.startsWith(start)) throw this.wrong(`a text that starts with "${start}"`);
    return text.slice(start.length);
  }

  wrong(expected: string): ReportError {
    const found = this.missing ? 'is missing' : `is ${shorten(JSON.stringify(this.value))}`;
    return new ReportError(`${this.path || 'The report'} ${found}; expected is ${expected}.`);
  }

  private bytes(base64: string): ArrayBuffer {
    let binary: string;
    try {
      binary = atob(base64);
    } catch {
      throw this.wrong('base64 after its first four letters');
    }
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; ++index) bytes[index] = binary.charCodeAt(index);
    return bytes.buffer;
  }
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
