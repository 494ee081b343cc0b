/** Texts of the editor component. */
export const texts = {
  theTextsDifferToo: 'The texts differ too much for a comparison line by line.',
  noDifferences: 'No differences.',
  added: 'added: ',
  removed: 'removed: ',
};
