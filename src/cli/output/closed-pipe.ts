/**
 * Whoever reads what a command prints may have seen enough (`lockkeeper --help | head -1`): then the rest goes nowhere, and the
 * command ends as it would have.
 */
export function ignoreClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
