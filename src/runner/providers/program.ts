import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes at the beginning of a program that say which system it is for. */
export const HEADER_BYTES = 4096;
const MAGIC = '\x7fELF';
/** The system that a program is for: none in particular, or Linux. */
const SYSTEMS = [0, 3];
const SYSTEM = 7;
const MACHINE = 18;
/** Programs of these systems name none in particular, and say so in a note. */
const OTHER_SYSTEMS = ['NetBSD\0', 'OpenBSD\0'];

/**
 * Whether a program can be executed here: an ELF file for Linux, and for the machine that this process is for.
 * @param header up to `HEADER_BYTES` bytes from its beginning
 */
export function isForThisMachine(header: Buffer): boolean {
  if (header.subarray(0, 4).toString('latin1') !== MAGIC || header.length < MACHINE + 2) return false;
  if (!SYSTEMS.includes(header[SYSTEM] ?? -1)) return false;
  return machineOf(header) === machineOf(ourHeader()) && !OTHER_SYSTEMS.some((name) => header.includes(name));
}

/** Word size, byte order and instruction set. */
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
