/** Texts of the retention component. */
export const nothingIsDeleted = 'Nothing is deleted.';
export const theConfiguredNumberOf = 'the configured number of';
export const deletesOlder = (days: number | string) =>
  `Versions older than ${days} days are deleted, except the current version.`;
export const deleteOldVersions = 'Delete old versions';
export const deleteNothing = 'Delete nothing';
export const differentForEachType = 'Different for each type (set by the API)';
export const save = 'Save';
export const noChanges = 'No changes';
export const policy = 'Policy';
export const days = 'Days';
export const olderStateVersionsConfiguration =
  'Older state versions, configuration versions and runs are deleted permanently.';
