import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes at the start of a program that identify its platform. */
export const HEADER_BYTES = 4096;
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
export function isForThisMachine(header: Buffer): boolean {
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
