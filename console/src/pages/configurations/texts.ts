/** Texts of the configurations page. */
// Texts of ConfigurationsPage.tsx
export const configurations = 'Configurations';
export const uploadAConfiguration = 'Upload a configuration…';
export const theConfigurations = 'The configurations';
export const noConfigurationsYet = 'No configurations yet';
export const aRunPlansAnd =
  'A run plans and applies one configuration: an archive of files that OpenTofu, Terraform or this page uploads.';
export const configurationsOfNewestFirst = (name: string) => `Configurations of ${name}, newest first`;
export const state = 'State';
export const configuration = 'Configuration';
export const current = 'current';
export const purpose = 'Purpose';
export const run = 'Run';
export const size = 'Size';
export const created = 'Created';
export const download = 'Download';
export const download2 = (id: string) => `Download ${id}`;
// Texts of UploadDialog.tsx
export const theServerReturnedNo = 'The server returned no upload URL. Try again.';
export const configurationUploaded = 'Configuration uploaded';
export const cancelledNothingWasStored = 'Cancelled. Nothing was stored.';
export const uploadAConfigurationTo = (name: string) => `Upload a configuration to ${name}`;
export const upload = 'Upload';
export const chooseAFileFirst = 'Choose a file first';
export const cancel = 'Cancel';
export const archive = 'Archive';
export const aTarGzArchive = 'A tar.gz archive of the configuration folder: tar czf configuration.tar.gz -C FOLDER .';
export const startARunAfter = 'Start a run after the upload';
export const plansOnlySpeculative = 'Plans only (speculative)';
export const runsOfThisConfiguration = 'Runs of this configuration cannot be applied.';
export const provisional = 'Provisional';
export const becomesTheCurrentConfiguration = 'Becomes the current configuration only when one of its runs is applied.';
// Texts of kinds.ts
export const plansOnly = 'plans only';
export const provisionalUntilARun = 'provisional until a run is applied';
export const aRunAfterTheUpload = 'a run after the upload';
export const runs = 'runs';
