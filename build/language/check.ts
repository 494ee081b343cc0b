import { globSync, readFileSync } from 'node:fs';
import { piecesOf } from './pieces.ts';
import { findingsIn } from './rules.ts';

/** Texts of people and of tools: sources, console, tests, documents. */
const READ = [
  '{src,console/src,test,bench,build,docs}/**/*.{ts,tsx}',
  '*.ts',
  '{docs,src,console,test,deploy}/**/*.md',
  '*.md',
];
const NOT_OURS = /(^|\/)(node_modules|dist|generated)\/|^build\/language\/|^test\/(suites|golden)\//;

/** Prints what the language rule refuses, a line each: `file:line: said (advice)`. Paths as arguments narrow what is looked at. */
const narrowed = process.argv.slice(2);
const files = globSync(READ).filter(
  (file) => !NOT_OURS.test(file) && (narrowed.length === 0 || narrowed.some((path) => file.startsWith(path))),
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
