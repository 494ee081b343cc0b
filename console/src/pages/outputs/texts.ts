/** Texts of the outputs page. */
export const outputs = 'Outputs';
export const theOutputs = 'The outputs';
export const noOutputsYet = 'No outputs yet';
export const outputsAppearHereAfter = 'Outputs appear here after an apply has written them to the state.';
export const isShown = (name: string) => `${name} is shown`;
export const sensitive = ', sensitive';
export const hidden = 'hidden';
export const showing = 'Showing…';
export const show = 'Show';
export const hide = 'Hide';
export const emptyTextOrA = 'Empty, or too large to show here.';
export const moreCharactersCopyThe = (more: string) => `${more} more characters. Copy the value to get all of it.`;
export const copy = 'Copy';
