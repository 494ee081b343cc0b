import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type FileHandle, mkdir, open, opendir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** @limit files and folders of a package in the provider cache, files -> the package is not cached */
const MAX_ENTRIES = 200;
/** @limit package in the provider cache, bytes -> the package is not cached */
const MAX_PACKAGE = 2_147_483_648;
const PROGRAM = /^terraform-provider-/;
/**
 * Allowed file names. The hash depends on the sorting and listing of names, so they must be unambiguous and on one
 * line.
 */
const NAME = /^[\x20-\x7e]+$/;
/**
 * Readable and executable, never writable. Without the execute bit an engine could get a program that it cannot start.
 */
const MODE = 0o555;
const PIECE = 1_048_576;

/** A copied package. */
export interface CopiedPackage {
  /** The `h1:` hash of the package, in hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
}

/** Remaining bytes that may be copied. */
export interface Allowance {
  left: number;
}

/**
 * Copies the package of a provider, and hashes the copy like engines do (`h1:`, Hash1 of Go's dirhash): SHA-256 over a
 * line for each file, with its SHA-256 and its name. The hash determines the copy completely: it contains only files,
 * all with the same mode. The source may be hostile, so it is copied and never moved: the process that wrote it may
 * still have it open or linked elsewhere.
 * @param to is created
 * @param allowance reduced by the copied bytes, also if the copy fails
 * @throws Error if it is not a provider package for this machine, or is too large
 */
export async function copyPackage(
  from: string,
  to: string,
  allowance: Allowance,
  signal: AbortSignal,
): Promise<CopiedPackage> {
  const copy = new Copy(to, allowance, signal);
  await copy.folder(from, '');
  return copy.end();
}

class Copy {
  readonly #to: string;
  readonly #allowance: Allowance;
  readonly #signal: AbortSignal;
  readonly #sums: [name: string, sum: string][] = [];
  #entries = 0;
  #bytes = 0;
  #hasProgram = false;

  constructor(to: string, allowance: Allowance, signal: AbortSignal) {
    this.#to = to;
    this.#allowance = allowance;
    this.#signal = signal;
  }

  async folder(path: string, inside: string): Promise<void> {
    for await (const entry of await opendir(path)) {
      if (++this.#entries > MAX_ENTRIES) throw new Error(`the package has more than ${MAX_ENTRIES} files`);
      const name = join(inside, entry.name);
      if (!NAME.test(name)) throw new Error('the package has a file with an unusual name');
      if (entry.isDirectory()) await this.folder(join(path, entry.name), name);
      else if (entry.isFile()) await this.#file(join(path, entry.name), name);
      else throw new Error(`${name} in the package is neither a file nor a folder`);
    }
  }

  end(): CopiedPackage {
    if (!this.#hasProgram) throw new Error('the package contains no provider program');
    const hash = createHash('sha256');
    for (const [name, sum] of this.#sums.sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${sum}  ${name}\n`);
    return { hash: hash.digest('hex'), bytes: this.#bytes };
  }

  async #file(path: string, name: string): Promise<void> {
    const source = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await source.stat()).isFile()) throw new Error(`${name} in the package is not a file`);
      const target = join(this.#to, name);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const file = await open(target, 'wx', MODE);
      try {
        this.#sums.push([name, await this.#content(source, file, name)]);
      } finally {
        await file.close();
      }
    } finally {
      await source.close();
    }
  }

  /**
   * Copies the content of a file.
   * @returns the SHA-256 of the written bytes, in hexadecimal
   */
  async #content(source: FileHandle, file: FileHandle, name: string): Promise<string> {
    const hash = createHash('sha256');
    const buffer = Buffer.alloc(PIECE);
    for (let position = 0; ; ) {
      this.#signal.throwIfAborted();
      const { bytesRead } = await source.read(buffer, 0, PIECE, position);
      const piece = buffer.subarray(0, bytesRead);
      if (position === 0 && PROGRAM.test(name)) this.#program(piece);
      if (bytesRead === 0) return hash.digest('hex');
      this.#count(bytesRead);
      hash.update(piece);
      await file.writeFile(piece);
      position += bytesRead;
    }
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#allowance.left -= bytes;
    if (this.#bytes > MAX_PACKAGE) throw new Error(`the package is larger than ${MAX_PACKAGE} bytes`);
    if (this.#allowance.left < 0) throw new Error('the run has used its share of the cache');
  }

  /**
   * Checks the platform: a lock file has the hashes of all platforms, and a package for another one must not be used
   * here.
   */
  #program(beginning: Buffer): void {
    if (!isForThisMachine(beginning.subarray(0, HEADER_BYTES))) {
      throw new Error('the provider is not a program for this machine');
    }
    this.#hasProgram = true;
  }
}

/** Bytes at the start of a program that identify its platform. */
const HEADER_BYTES = 4096;
const MAGIC = '\x7fELF';
/** OS/ABI values of ELF: unspecified, and Linux. */
const SYSTEMS = [0, 3];
const SYSTEM = 7;
const MACHINE = 18;
/** Programs of these systems have an unspecified OS/ABI, but a note with the name. */
const OTHER_SYSTEMS = ['NetBSD\0', 'OpenBSD\0'];

/**
 * Returns whether a program runs here: an ELF file for Linux with the instruction set of this process.
 * @param header up to `HEADER_BYTES` bytes from its start
 */
function isForThisMachine(header: Buffer): boolean {
  if (header.subarray(0, 4).toString('latin1') !== MAGIC || header.length < MACHINE + 2) return false;
  if (!SYSTEMS.includes(header[SYSTEM] ?? -1)) return false;
  return machineOf(header) === machineOf(ourHeader()) && !OTHER_SYSTEMS.some((name) => header.includes(name));
}

/** Returns word size, byte order and instruction set. */
const machineOf = (header: Buffer): string =>
  Buffer.concat([header.subarray(0, 6), header.subarray(MACHINE, MACHINE + 2)]).toString('hex');

function ourHeader(): Buffer {
  const header = Buffer.alloc(MACHINE + 2);
  const program = openSync(process.execPath, 'r');
  try {
    readSync(program, header);
  } finally {
    closeSync(program);
  }
  return header;
}
