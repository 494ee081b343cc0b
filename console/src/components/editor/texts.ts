/** Texts of the editor component. */
export const theTextsDifferToo = 'The texts differ too much for a comparison line by line.';
export const noDifferences = 'No differences.';
export const added = 'added: ';
export const removed = 'removed: ';
