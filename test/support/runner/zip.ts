import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer | string;
  /** Mode as in `stat`. Default: executable by all users. */
  readonly mode?: number;
  /** Size in the header of the archive. Default: the real size. */
  readonly size?: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const PROGRAM = 0o100755;
const DEFLATED = 8;
const UNIX = 3 << 8;

/** Creates a zip file. Names may be invalid. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode = PROGRAM, size } of entries) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const fileName = Buffer.from(name);
    const sizes: [number, number][] = [
      [crc32(data), 4],
      [packed.length, 4],
      [size ?? data.length, 4],
      [fileName.length, 2],
      [0, 2],
    ];
    const common: [number, number][] = [[20, 2], [0, 2], [DEFLATED, 2], [0, 4], ...sizes];
    const local = Buffer.concat([fields([[LOCAL, 4], ...common]), fileName, packed]);
    const rest: [number, number][] = [
      [0, 2],
      [0, 2],
      [0, 2],
      [mode * 0x10000, 4],
      [offset, 4],
    ];
    centrals.push(Buffer.concat([fields([[CENTRAL, 4], [UNIX | 20, 2], ...common, ...rest]), fileName]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(centrals);
  const count = entries.length;
  const end: [number, number][] = [
    [END, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [central.length, 4],
    [offset, 4],
  ];
  return Buffer.concat([...locals, central, fields([...end, [0, 2]])]);
}

function fields(values: readonly (readonly [value: number, width: number])[]): Buffer {
  return Buffer.concat(
    values.map(([value, width]) => {
      const bytes = Buffer.alloc(width);
      bytes.writeUIntLE(value, 0, width);
      return bytes;
    }),
  );
}
