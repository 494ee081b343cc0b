/** Texts of the path line component. */
export const texts = {
  keyboardShortcuts: 'Keyboard shortcuts',
  copyAs: 'Copy as',
};
