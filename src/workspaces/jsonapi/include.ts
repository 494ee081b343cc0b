import { AppError } from '../../lib/errors.ts';

/**
 * The resources that `include` asks for, with underscores: clients write `current-state-version` as well as
 * `current_run`. What stands on the way to another is asked for too (JSON:API 1.1 §6.3). An unknown one is a 400 whose text says "include parameter", which is how official clients know that
 * an older server has to be asked again without it.
 */
export function parseInclude<Name extends string>(text: string | undefined, known: readonly Name[]): ReadonlySet<Name> {
  const names = (text ?? '').split(',').map((name) => name.trim().replaceAll('-', '_'));
  const included = new Set<Name>();
  for (const name of names) {
    if (name === '') continue;
    const found = known.find((candidate) => candidate === name);
    if (found === undefined) throw unknownInclude(name, known);
    for (const step of known) {
      if (step === found || found.startsWith(`${step}.`)) included.add(step);
    }
  }
  return included;
}

function unknownInclude(name: string, known: readonly string[]): AppError {
  const detail = `The include parameter does not know "${name}"; it knows ${known.join(', ')}`;
  return new AppError('bad-request', detail, {
    title: 'Invalid include parameter',
    issues: [{ detail, parameter: 'include' }],
  });
}
