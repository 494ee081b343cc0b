import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_SIZE_HINT: SIZE } = constants;

/** Writes two compressed variants beside each compressible file, at the highest level. */
export async function compress(folder: string): Promise<void> {
  const files = globSync('**/*.{css,html,js,svg,txt}', { cwd: folder }).map((name) => `${folder}/${name}`);
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      const params = { [QUALITY]: 11, [SIZE]: bytes.length };
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}
