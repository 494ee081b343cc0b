/** Texts of the secret component. */
export const texts = {
  newText: (what: string) => `New ${what}`,
  newText2: (what: string) => `New ${what}.`,
  copyItNowIt: 'Copy it now: it is shown only once.',
  copied: 'Copied',
  copy: 'Copy',
  done: 'Done',
};
