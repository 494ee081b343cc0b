import { EXIT_CODES } from '../errors/exit-codes.ts';

/** Returns the exit codes and their meanings, a line for each. */
export function exitCodeLines(): string {
  return Object.entries(EXIT_CODES)
    .map(([code, meaning]) => `  ${code}  ${meaning}`)
    .join('\n');
}
