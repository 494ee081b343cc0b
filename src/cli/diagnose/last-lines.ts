import { open } from 'node:fs/promises';
import { CommandError } from '../errors/command-error.ts';

/** @limit log in a support bundle, bytes -> earlier lines are left out */
const MAX_BYTES = 1_048_576;

/** Returns the end of a file, starting at a line. @throws CommandError if the file cannot be read */
export async function lastLines(path: string): Promise<string> {
  const file = await open(path, 'r').catch((error: Error) => {
    throw new CommandError(`--log: ${path} cannot be read: ${error.message}`);
  });
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - MAX_BYTES);
    const buffer = Buffer.alloc(Math.min(size, MAX_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    const text = buffer.toString('utf8', 0, bytesRead);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}
