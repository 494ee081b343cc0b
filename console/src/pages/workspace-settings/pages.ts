/** Settings of a workspace, as one chunk: the tabs are small, and compress better together. */
export { Approvals } from './Approvals.tsx';
export { General } from './General.tsx';
export { Notifications } from './Notifications.tsx';
export { Retention } from './Retention.tsx';
export { RunTasks } from './RunTasks.tsx';
export { RunTriggers } from './RunTriggers.tsx';
export { Schedules } from './Schedules.tsx';
export { StateSharing } from './StateSharing.tsx';
export { Tags } from './Tags.tsx';
export { VersionControl } from './vcs/VersionControl.tsx';
export { WorkspaceSettingsPage } from './WorkspaceSettingsPage.tsx';
