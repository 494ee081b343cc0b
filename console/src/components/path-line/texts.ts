/** Texts of the path line component. */
export const keyboardShortcuts = 'Keyboard shortcuts';
export const copyAs = 'Copy as';
