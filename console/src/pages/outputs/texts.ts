/** Texts of the outputs page. */
export const texts = {
  outputs: 'Outputs',
  theOutputs: 'The outputs',
  noOutputsYet: 'No outputs yet',
  outputsAppearHereAfter: 'Outputs appear here after an apply has written them to the state.',
  isShown: (name: string) => `${name} is shown`,
  sensitive: ', sensitive',
  hidden: 'hidden',
  showing: 'Showing…',
  show: 'Show',
  hide: 'Hide',
  emptyTextOrA: 'Empty, or too large to show here.',
  moreCharactersCopyThe: (more: string) => `${more} more characters. Copy the value to get all of it.`,
  copy: 'Copy',
};
