/** Texts of the rights component. */
export const runs = 'Runs';
export const variables = 'Variables';
export const stateVersions = 'State versions';
