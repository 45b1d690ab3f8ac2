export type NumberArray = Uint16Array | Uint32Array;

type Part = { name: string; wide: boolean; at: number; length: number };

const ALIGNMENT = 4;

/** Writes a header and named arrays as one buffer: length, JSON, then the arrays, each aligned. */
export function joinArrays(header: object, arrays: Record<string, NumberArray>): Buffer {
  const parts: Part[] = [];
  const bodies: Uint8Array[] = [];
  let end = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    parts.push({ name, wide: array instanceof Uint32Array, at: end, length: array.length });
    const padding = -bytes.length & (ALIGNMENT - 1);
    bodies.push(bytes, new Uint8Array(padding));
    end += bytes.length + padding;
  }
  const text = Buffer.from(JSON.stringify({ header, parts }));
  const front = Buffer.alloc(ALIGNMENT + text.length + (-text.length & (ALIGNMENT - 1)), ' ');
  front.writeUInt32LE(front.length - ALIGNMENT);
  text.copy(front, ALIGNMENT);
  return Buffer.concat([front, ...bodies]);
}

/** Opens what `joinArrays` wrote; the arrays are views of the buffer. */
export function splitArrays<T>(packed: Buffer): {
  header: T;
  arrays: Record<string, NumberArray>;
} {
  // Views need an aligned start, which a pooled buffer may lack.
  const buffer = packed.byteOffset % ALIGNMENT === 0 ? packed : Buffer.from(new Uint8Array(packed));
  const bodies = ALIGNMENT + buffer.readUInt32LE();
  const { header, parts } = JSON.parse(buffer.toString('utf8', ALIGNMENT, bodies)) as {
    header: T;
    parts: Part[];
  };
  const arrays = parts.map(({ name, wide, at, length }) => {
    const start = buffer.byteOffset + bodies + at;
    const array = wide
      ? new Uint32Array(buffer.buffer, start, length)
      : new Uint16Array(buffer.buffer, start, length);
    return [name, array] as const;
  });
  return { header, arrays: Object.fromEntries(arrays) };
}
