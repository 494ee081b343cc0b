/** Texts of the command component. */
export const texts = {
  copy: (what: string) => `Copy ${what}`,
  copied: 'Copied',
  copy2: 'Copy',
};
