import { type Command, Option } from 'commander';
import type { Diagnosis } from '../../diagnosis/index.ts';
import { type Status, worst } from '../../lib/finding/finding.ts';
import { version } from '../../version.ts';
import { silentFailure } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { withConfig } from '../process/config-file.ts';
import { addBundle } from './bundle-command.ts';
import { type ExamineOptions, endSoon, examine } from './examine.ts';
import { subjectText } from './tree-text.ts';

interface CheckOptions extends ExamineOptions {
  readonly format: 'text' | 'json';
}

/** `lockkeeper diagnose`: what is wrong and what to do about it, whether the server runs or not. */
export function addDiagnose(program: Command): void {
  const command = program
    .command('diagnose')
    .description('look for what is wrong with an installation, whether its server runs or not');
  withExamining(command.command('check', { isDefault: true }))
    .description(
      'the same as `lockkeeper diagnose` alone: everything that the server needs, and what to do where something is wrong; nothing is changed. ' +
        'Ends with 1 for a failure, with 7 for warnings alone',
    )
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
    .action(check);
  addBundle(command, withExamining);
}

function withExamining(command: Command): Command {
  return withConfig(command)
    .option('--nodes <number>', 'how many nodes share the database; else as many as are connected')
    .option('--thorough', 'give each check the time that it needs: a large database is read from end to end', false);
}

async function check(options: CheckOptions): Promise<void> {
  const { subjects } = await examine(options);
  const found: Diagnosis[] = [];
  const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;
  for await (const subject of subjects) {
    found.push(subject);
    if (options.format === 'text') process.stdout.write(`${subjectText(subject, isColoured)}\n`);
  }
  const status = worst(found.map((subject) => subject.status));
  if (options.format === 'json')
    process.stdout.write(`${JSON.stringify({ version, status, subjects: found }, null, 2)}\n`);
  else process.stdout.write(`${SUMMARY[status]}\n`);
  endSoon();
  if (status === 'failure') throw silentFailure(EXIT.failed);
  if (status === 'warning') throw silentFailure(EXIT.attention);
}

const SUMMARY: Readonly<Record<Status, string>> = {
  success: 'All is well.',
  skipped: 'Nothing was looked at.',
  warning: 'It works; see the warnings.',
  failure: 'Something is wrong; see what failed.',
};
