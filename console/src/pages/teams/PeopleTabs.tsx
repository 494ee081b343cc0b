import { type Tab, Tabs } from '../../components/tabs/Tabs.tsx';
import * as texts from './texts.ts';

/** Tabs for teams and members. Members are visible only to users with permission to manage them. */
export function PeopleTabs({ organization, members }: { readonly organization: string; readonly members: boolean }) {
  const params = { organization };
  const tabs: readonly Tab[] = [
    { label: texts.teams, to: '/$organization/teams', params },
    { label: texts.members, to: '/$organization/members', params },
  ];
  return <Tabs label={texts.teamsAndMembers} tabs={members ? tabs : tabs.slice(0, 1)} />;
}
