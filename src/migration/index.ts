/** Moves organizations and access configuration between servers and files. */

export { type AccessSource, accessRules, accessSource, migrateAccess } from './access/migrate.ts';
export { Connection, type ConnectionSettings } from './connection/connection.ts';
export { accessFolder, exportAccess } from './files/access-folder.ts';
export { exportOrganization, organizationFolder } from './files/organization-folder.ts';
export { MigrationError, type MigrationErrorKind, Refused } from './model/errors.ts';
export type { MissingSecret, Note } from './model/item.ts';
export { apiSource, type Choices, chosen } from './organization/api-source.ts';
export { withoutAutomation } from './organization/automation.ts';
export { openJournal } from './organization/import-journal.ts';
export { migrateOrganization, type OrganizationSource } from './organization/migrate.ts';
export { organizationRules } from './organization/rules.ts';
export { openPlace } from './places/open-place.ts';
export { compilePattern } from './places/pattern.ts';
export { stateFileSource } from './places/state-files.ts';
export { isDone, type Report, reportLines } from './plan/report.ts';
export type { StateChoice } from './states/state-source.ts';
