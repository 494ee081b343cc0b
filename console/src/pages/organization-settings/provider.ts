export const AT = '/organizations/{organization_name}/sign-in-provider';

/** A group, and the team whose members it gives. */
interface Rule {
  readonly group: string;
  readonly team: string;
}

/** A line for each: `group = team`. */
export const rulesText = (rules: readonly Rule[]): string =>
  rules.map(({ group, team }) => `${group} = ${team}`).join('\n');

/** @returns undefined for a line that is no rule */
export function readRules(text: string): readonly Rule[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rules = lines.map((line) =>
    /^(.+)=([^=]+)$/
      .exec(line)
      ?.slice(1)
      .map((part) => part.trim()),
  );
  if (!rules.every((rule) => rule?.every((part) => part !== ''))) return undefined;
  return rules.map((rule) => ({ group: rule?.[0] ?? '', team: rule?.[1] ?? '' }));
}
