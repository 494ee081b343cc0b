import { gzipSync } from 'node:zlib';
import { Header } from 'tar';

const BLOCK = 512;

/** Creates a configuration archive as clients upload it: a tar.gz with equal bytes for equal files. */
export function archive(files: Readonly<Record<string, string>> | string = 'one'): Buffer {
  const all = typeof files === 'string' ? { 'main.tf': `# ${files}\n` } : files;
  const parts = Object.entries(all).flatMap(([path, text]) => {
    const content = Buffer.from(text);
    const header = new Header({ path, size: content.length, type: 'File', mode: 0o644, mtime: new Date(0) });
    header.encode();
    return [header.block ?? Buffer.alloc(0), content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}
