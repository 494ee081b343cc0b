import { globSync, readFileSync } from 'node:fs';
import { piecesOf } from './pieces.ts';
import { findingsIn } from './rules.ts';

/** Files to check: sources, console, tests, documents. */
const READ = [
  '{src,console/src,test,bench,build,docs,.ci}/**/*.{ts,tsx}',
  '*.ts',
  '{docs,src,console,test,deploy}/**/*.md',
  '*.md',
];
/** Generated or foreign text, and the files that list the refused words. */
const NOT_READ =
  /(^|\/)(node_modules|dist|generated)\/|^(build\/language|test\/suites|test\/golden|website)\/|^(test\/language\.test\.ts|docs\/reference\/glossary\.md)$/;

/** Prints each finding as `file:line: text (advice)` and exits with 1 if there are any. Path prefixes as arguments narrow the check. */
const narrowed = process.argv.slice(2);
const files = globSync(READ).filter(
  (file) => !NOT_READ.test(file) && (narrowed.length === 0 || narrowed.some((path) => file.startsWith(path))),
);
const findings = files
  .toSorted()
  .flatMap((file) =>
    piecesOf(file, readFileSync(file, 'utf8')).flatMap((piece) =>
      findingsIn(piece).map(({ line, said, advice }) => `${file}:${line}: ${said} (${advice})`),
    ),
  );
for (const finding of findings) process.stdout.write(`${finding}\n`);
process.stdout.write(`${files.length} files, ${findings.length} findings\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
