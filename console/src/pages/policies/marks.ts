import type { Schemas } from '../../api/generated/access.ts';
import type { Mark } from '../../components/editor/marks.ts';
import * as texts from './texts.ts';

export type Explanation = Schemas['PolicyExplanation'];

/** Returns the last line of the block that starts on a line, by counting braces. */
export function endOfBlock(lines: readonly string[], line: number): number {
  let depth = 0;
  let isOpen = false;
  for (let at = line; at <= lines.length; at++) {
    const bare = (lines[at - 1] ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/(?:#|\/\/).*/, '');
    for (const sign of bare) {
      if (sign === '{') {
        depth++;
        isOpen = true;
      } else if (sign === '}' && --depth === 0 && isOpen) return at;
    }
  }
  return line;
}

/** Converts an explanation to marks on the lines of one policy. */
export function marksOf(explanation: Explanation | undefined, policy: string, text: string): Mark[] {
  if (!explanation) return [];
  const lines = text.split('\n');
  const here = (blocks: readonly Schemas['PolicyBlock'][]) => blocks.filter((block) => block.policy === policy);
  const decides = here(explanation.rule?.blocks ?? []).map(
    ({ line }): Mark => ({
      kind: explanation.allowed ? 'grants' : 'denies',
      line,
      to: endOfBlock(lines, line),
      label: explanation.allowed ? texts.decidesAllowed : texts.decidesDenied,
    }),
  );
  const overridden = explanation.overridden.flatMap(({ blocks, because }) =>
    here(blocks).map(({ line }): Mark => ({ kind: 'overridden', line, label: texts.overriddenBecause2(because) })),
  );
  const dropped = explanation.dropped
    .filter((block) => block.policy === policy)
    .map(({ line, because }): Mark => ({ kind: 'overridden', line, label: texts.ignored(because) }));
  return [...decides, ...overridden, ...dropped];
}

/** Warning of the server: `policy "a": line 3, path "b*c": …`. */
const WARNING = /^policy "((?:[^"\\]|\\.)*)": line (\d+), (?:path "(?:[^"\\]|\\.)*": )?(.*)$/s;

/** Returns the warnings about lines of one policy. */
export function warningsOf(warnings: readonly string[] | null | undefined, policy: string): Mark[] {
  return (warnings ?? []).flatMap((warning): Mark[] => {
    const [, of, line, note = ''] = WARNING.exec(warning) ?? [];
    return of === policy ? [{ kind: 'warning', line: Number(line), label: texts.warning, note }] : [];
  });
}

/** Returns the syntax error of a text with its line: `failed to parse policy: line 3, column 5: …`. */
export function faultIn(message: string): Mark | undefined {
  const [, line, note = ''] = /^failed to parse policy: line (\d+), column \d+: (.*)$/s.exec(message) ?? [];
  return line === undefined ? undefined : { kind: 'fault', line: Number(line), label: texts.invalid, note };
}

/** Returns the purpose of a policy: the comment at its start. */
export function purposeOf(text: string): string {
  const said: string[] = [];
  for (const line of text.trimStart().split('\n', 3)) {
    const [, comment] = /^\s*(?:#|\/\/)+\s*(.*)$/.exec(line) ?? [];
    if (comment === undefined) break;
    said.push(comment.trim());
  }
  return said.join(' ');
}
