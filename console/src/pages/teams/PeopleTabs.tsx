import { type Tab, Tabs } from '../../components/tabs/Tabs.tsx';

/** Teams, and who is in them. Members are for those who manage them. */
export function PeopleTabs({ organization, members }: { readonly organization: string; readonly members: boolean }) {
  const params = { organization };
  const tabs: readonly Tab[] = [
    { label: 'Teams', to: '/$organization/teams', params },
    { label: 'Members', to: '/$organization/members', params },
  ];
  return <Tabs label="People" tabs={members ? tabs : tabs.slice(0, 1)} />;
}
