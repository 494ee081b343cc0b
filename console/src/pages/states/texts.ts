/** Texts of the states page. */
// Texts of ChangeList.tsx
export const sensitive = 'sensitive';
export const showMore = (count: string) => `Show ${count} more`;
export const moreAreInThe = (count: string) => `${count} more are in the response to the request below.`;
// Texts of Compare.tsx
export const download = 'download';
export const theComparison = 'The comparison';
export const theFirstState = (serialTo: number) => `The first state, ${serialTo}`;
export const fromTo = (serialFrom: number, serialTo: number) => `From ${serialFrom} to ${serialTo}`;
export const download2 = 'Download';
export const rollBackTo = (serialFrom: number | null) => `Roll back to ${serialFrom}…`;
export const resources = 'Resources';
export const noResourcesWereAdded = 'No resources were added, changed or removed.';
export const outputs = 'Outputs';
export const noOutputsWereAdded = 'No outputs were added, changed or removed.';
export const valuesCannotBeCompared = (tooLarge: string) =>
  `Values cannot be compared here: both files together are larger than ${tooLarge}. Download them to compare the values.`;
export const onlyNamesAreShown =
  'Only names are shown. Select a resource or an output to read its values from both files: the audit trail records the downloads. Sensitive values stay hidden.';
export const createdBy = 'Created by';
export const withACertificate = 'with a certificate';
export const engine = 'Engine';
export const size = 'Size';
export const to = (old: string | undefined, now: string | undefined) => `${old} to ${now}`;
export const lineage = 'Lineage';
export const unchanged = ', unchanged';
export const changed = ', changed';
// Texts of DataActions.tsx
export const dataDeletedItCan = 'Data deleted: it can be restored';
export const dataRestored = 'Data restored';
export const dataDeletedPermanently = 'Data deleted permanently';
export const deleteData = 'Delete data…';
export const theVersionStaysIn =
  'The version stays in the list. Its data can be restored until it is deleted permanently.';
export const restoring = 'Restoring…';
export const restoreData = 'Restore data';
export const deletePermanently = 'Delete permanently…';
export const deletePermanently2 = (title: string) => `Delete ${title} permanently`;
export const deleteTheDataOf = (title: string) => `Delete the data of ${title}`;
export const deletePermanently3 = 'Delete permanently';
export const deleteData2 = 'Delete data';
export const typeTheSerialToConfirm = 'Type the serial to confirm';
export const theDataCannotBe =
  'The data cannot be restored, and the workspace can no longer be rolled back to this version.';
export const serialOfTheState = 'Serial of the state';
export const typeToConfirm = (serial: number) => `Type ${serial} to confirm.`;
export const untilItsDataIs =
  'Until its data is restored, this version cannot be downloaded, compared or rolled back to.';
// Texts of RollbackDialog.tsx
export const rolledBackTheCurrent = (serial: number) => `Rolled back: the current serial is ${serial}`;
export const rollBackTo2 = (serial: number) => `Roll back to ${serial}`;
export const rollBack = 'Roll back';
export const stateOfWithResources = (serial: number, name: string, resources: string) =>
  `State ${serial} of ${name}, with ${resources} resources, becomes the current state again, with the next serial. Nothing is deleted. Resources created since then keep running, but the state no longer contains them: the next plan does not know them.`;
// Texts of StatesPage.tsx
export const states = 'States';
export const uploadState = 'Upload state…';
export const noStateYet = 'No state yet';
export const terraformApply = 'terraform apply';
export const theFirstApplyCreates =
  'The first apply creates a state, wherever it runs. You can also upload an existing state.';
export const versions = 'Versions';
export const newerVersionNext = 'newer version: next';
export const newerVersionPrevious = 'newer version: previous';
export const olderVersionNext = 'older version: next';
export const olderVersionPrevious = 'older version: previous';
// Texts of UploadDialog.tsx
export const theServerReturnedNo = 'the server returned no upload URL for the state';
export const stateUploaded = (serial: number | undefined) => `State ${serial} uploaded`;
export const canceledNothingWasUploaded = 'Canceled: nothing was uploaded';
export const uploadAStateTo = (name: string) => `Upload a state to ${name}`;
export const upload = 'Upload';
export const canceledNothingWasUploaded2 = 'Canceled: nothing was uploaded.';
export const cancel = 'Cancel';
export const file = 'File';
export const aStateFileOf = 'A state file of OpenTofu or Terraform, for example the output of tofu state pull.';
export const serial = 'Serial';
export const format = 'Format';
export const unknownTheServerStores = 'unknown: the server stores the file, but cannot read it';
export const md5 = 'MD5';
export const overwriteTheCurrentState = 'Overwrite the current state';
export const acceptsALowerSerial = 'Accepts a lower serial or a different lineage.';
export const selectAFile = 'Select a file';
export const theConsoleReadsFiles = (lARGESTFILE: string) =>
  `The console reads files up to ${lARGESTFILE}: upload a larger one with tofu state push`;
export const readingTheFile = 'Reading the file…';
export const thisFileIsNot = 'This file is not a state: it has no serial';
export const otherLineage = (serial: number) => `${serial}, with a different lineage than the current state`;
export const follows = (serial: number, current: number) => `${serial}, follows ${current}`;
export const behindCurrent = (serial: number, current: number) => `${serial}; the current serial is ${current}`;
// Texts of Values.tsx
export const readingBothFiles = 'Reading both files…';
export const noValuesChangedOnly = 'No values changed, only other data of the resource.';
export const value = 'value';
export const sensitiveHidden = 'sensitive: hidden';
export const before = 'before:';
export const after = 'after:';
export const moreValuesDiffer = (more: string) => `${more} more values differ.`;
// Texts of VersionPage.tsx
export const state = (serial: number) => `State ${serial}`;
export const theStateVersion = 'The state version';
export const currentVersion = 'current version';
export const olderVersion = 'older version';
export const compare = 'Compare';
export const jsonFormat = 'JSON format';
export const rollBack2 = 'Roll back…';
export const id = 'Id';
export const id2 = 'id';
export const certificate = 'Certificate';
export const roleOfSerialNumber = (role: string, mount: string, serialNumber: string) =>
  `role ${role} of ${mount}, serial number ${serialNumber}`;
export const source = 'Source';
export const created = 'Created';
export const ago = 'ago';
export const lineage2 = 'lineage';
export const encrypted = 'Encrypted';
export const byOpentofuTheServer = 'by OpenTofu: the server cannot read its content';
// Texts of Versions.tsx
export const compare2 = (which: string, serial: number, id: string) => `Compare ${which} ${serial}, ${id}`;
export const from = 'From';
export const to2 = 'To';
export const stateVersionsNewestFirst = 'State versions, newest first';
export const withTheCertificateOf = (subject: string) => `with the certificate of ${subject}`;
export const rollbackTo = (source: number | string) => `rollback to ${source}`;
export const intermediateStateOfAnApply = 'intermediate state of an apply';
export const uploaded = 'uploaded';
// Texts of changes.ts
export const and = (others: string) => `and ${others}`;
export const andMore = (length: number) => `and ${length} more`;
// reading/read-worker.ts
export const theStateCouldNot = (status: number) => `the state could not be read: the server returned ${status}`;
// reading/state-file.ts
export const deposed = (place: string, deposed: string) => `${place} (deposed ${deposed})`;
// Texts of version.ts
export const unknown = 'unknown';
export const waitingForUpload = 'waiting for upload';
export const discardedNoStateWasUploaded = 'discarded: no state was uploaded';
export const deletedCanBeRestored = 'deleted, can be restored';
export const deletedPermanently = 'deleted permanently';
// Texts of writing.ts
export const holdsTheLockOnly = (holder: string | undefined) =>
  `${holder} holds the lock: only the holder of the lock can write a state`;
export const lockTheWorkspaceFirst = 'Lock the workspace first: writing a state requires its lock';
