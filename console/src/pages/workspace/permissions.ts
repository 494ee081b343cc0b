/** What each permission lets somebody do, in words, in the order in which they are told. */
const WORDS: readonly (readonly [permission: string, words: string])[] = [
  ['can-read-settings', 'read settings'],
  ['can-read-run', 'read runs'],
  ['can-read-variable', 'read variables'],
  ['can-read-state-versions', 'read states'],
  ['can-queue-run', 'start runs'],
  ['can-queue-apply', 'confirm runs'],
  ['can-create-state-versions', 'write states'],
  ['can-update-variable', 'change variables'],
  ['can-lock', 'lock and unlock'],
  ['can-force-unlock', 'force the lock'],
  ['can-update', 'change settings'],
  ['can-destroy', 'delete'],
];

/** What whoever asked may do with a workspace, and what not. */
export function permissionsInWords(permissions: Readonly<Record<string, boolean>>): { may: string; mayNot: string } {
  const words = (given: boolean) =>
    WORDS.filter(([name]) => (permissions[name] ?? false) === given)
      .map(([, text]) => text)
      .join(', ');
  return { may: words(true), mayNot: words(false) };
}
