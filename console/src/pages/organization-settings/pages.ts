/** Settings of an organization, as one chunk: the tabs are small, and compress better together. */
export { Capacity } from './Capacity.tsx';
export { Deletion } from './Deletion.tsx';
export { General } from './General.tsx';
export { Notifications } from './Notifications.tsx';
export { Recoverable } from './Recoverable.tsx';
export { Retention } from './Retention.tsx';
export { RunTasks } from './RunTasks.tsx';
export { SettingsPage } from './SettingsPage.tsx';
export { SignIn } from './SignIn.tsx';
export { SshKeys } from './SshKeys.tsx';
export { TagsPart } from './TagsPart.tsx';
export { TokensPart } from './TokensPart.tsx';
