import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCopy } from '../../components/copy/copy.ts';
import type { Session } from '../../session/session.ts';
import { placesOf } from '../places.ts';
import * as texts from '../texts.ts';
import { pageOf, useElsewhere } from './elsewhere.ts';
import { type Item, type ItemGroup, type Leads, leadsAmong } from './item.ts';
import { wordsOf } from './match.ts';
import { placeItems } from './places.ts';
import { type Recent, readRecent } from './recent.ts';
import { actionItems, workspaceItems, workspacesQuery } from './workspace-items.ts';

/** Returns results for the typed text; without text, recent items and navigation entries. */
export function useFound(session: Session, organization: string | undefined, text: string): readonly ItemGroup[] {
  const leads = leadsAmong(useRouter().routesByPath);
  const { copy } = useCopy();
  const words = wordsOf(text);
  const isOpen = organization !== undefined && words.length > 0;
  const { data } = useQuery({
    ...workspacesQuery(organization ?? '', words),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const elsewhere = useElsewhere(session, organization, words, leads);
  const places = placeItems(placesOf(session), session, organization, words);
  if (words.length === 0) {
    return withSome([
      { id: 'recent', label: texts.recent, items: readRecent().flatMap((one) => recentItem(one, places, leads)) },
      { id: 'places', label: texts.goTo2, items: places },
    ]);
  }
  const [first] = isOpen ? (data?.data ?? []) : [];
  const found = isOpen && data ? workspaceItems(organization, data) : [];
  return withSome([
    { id: 'workspaces', label: texts.workspaces, items: found },
    {
      id: 'actions',
      label: texts.actionsFor(first?.attributes.name),
      items: isOpen && data && first ? actionItems(organization, first, data, leads, copy) : [],
    },
    { id: 'places', label: texts.goTo2, items: places },
    { id: 'elsewhere', label: texts.moreResults, items: elsewhere },
  ]);
}

const withSome = (groups: readonly ItemGroup[]) => groups.filter(({ items }) => items.length > 0);

function recentItem(recent: Recent, places: readonly Item[], leads: Leads): Item[] {
  const { kind, names } = recent;
  const label = names.at(-1) ?? '';
  const key = `recent ${kind} ${names.join('/')}`;
  if (kind === 'place') return places.filter((place) => place.label === label).map((place) => ({ ...place, key }));
  if (kind === 'workspace') {
    const [organization = '', workspace = ''] = names;
    const to = { to: '/$organization/workspaces/$workspace', params: { organization, workspace } } as const;
    return [{ key, icon: 'workspaces', label, mid: organization, to, recent }];
  }
  const to = pageOf(kind, names, leads);
  const icon = kind === 'team' ? 'teams' : kind;
  return to ? [{ key, icon, label, mid: kind, to, recent }] : [];
}
