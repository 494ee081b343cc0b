import { packFiles } from '../../../src/archive/index.ts';

/** Creates a configuration archive as clients upload it: a tar.gz with equal bytes for equal files. */
export function archive(files: Readonly<Record<string, string>> | string = 'one'): Buffer {
  const all = typeof files === 'string' ? { 'main.tf': `# ${files}\n` } : files;
  return packFiles(Object.entries(all).map(([name, content]) => ({ name, content })));
}
