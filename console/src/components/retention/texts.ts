/** Texts of the retention component. */
export const texts = {
  nothingIsDeleted: 'Nothing is deleted.',
  theConfiguredNumberOf: 'the configured number of',
  deletesOlder: (days: number | string) => `Versions older than ${days} days are deleted, except the current version.`,
  deleteOldVersions: 'Delete old versions',
  deleteNothing: 'Delete nothing',
  differentForEachType: 'Different for each type (set by the API)',
  save: 'Save',
  noChanges: 'No changes',
  policy: 'Policy',
  days: 'Days',
  olderStateVersionsConfiguration: 'Older state versions, configuration versions and runs are deleted permanently.',
};
