/**
 * Ignores EPIPE: the reader of the output may exit early (`lockkeeper --help | head -1`). The rest is dropped and the
 * command ends normally.
 */
export function ignoreClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
