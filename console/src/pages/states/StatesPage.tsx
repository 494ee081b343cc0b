import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { usePlace } from '../../shell/page.ts';
import { text } from '../../shell/search.ts';
import { useWorkspace, type WorkspaceAnswer } from '../../shell/workspace.ts';
import { Compare, type Opened } from './Compare.tsx';
import styles from './states.module.css';
import * as texts from './texts.ts';
import { UploadDialog } from './UploadDialog.tsx';
import { Versions } from './Versions.tsx';
import { isThere, pairOf } from './version.ts';
import { useWriting } from './writing.ts';

const LIST = 'GET /state-versions';
const SIZE = 20;
const EVERY_MS = 10_000;
const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/states');

/** State versions of a workspace. Compares two of them. */
export function StatesPage() {
  const { organization, workspace, query } = useWorkspace();
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: texts.states },
  ]);
  return query.data ? <States answer={query.data} organization={organization} /> : null;
}

interface StatesProps {
  readonly answer: WorkspaceAnswer;
  readonly organization: string;
}

function States({ answer, organization }: StatesProps) {
  const { name } = answer.data.attributes;
  const { page: pageText = '1', ...chosen } = route.useSearch();
  const page = Math.max(1, Number.parseInt(pageText, 10) || 1);
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/states' });
  const [uploads, setUploads] = useState(false);
  const writing = useWriting(answer);
  const query = {
    'filter[organization][name]': organization,
    'filter[workspace][name]': name,
    include: 'created_by',
    'page[number]': String(page),
    'page[size]': String(SIZE),
  };
  const list = useQuery({
    ...workspaces.query(LIST, { query }),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const versions = list.data?.data ?? [];
  const { from, to } = pairOf(versions, chosen);
  const go = (pair: Pair, opened: Opened) => {
    const shown = { ...text({ ...opened }, 'resource'), ...text({ ...opened }, 'output') };
    const newest = pairOf(versions, {});
    // A page that shows the newest pair follows newer versions, unless its URL has to name an opened line.
    const isNewest = Object.keys(shown).length === 0 && pair.from === newest.from && pair.to === newest.to;
    const compared = isNewest ? {} : { ...text({ ...pair }, 'from'), ...text({ ...pair }, 'to') };
    const search = { ...(page > 1 && { page: pageText }), ...compared, ...shown };
    void navigate({ search, replace: true, resetScroll: false });
  };
  const choose = (next: Partial<Pair>) => go({ from, to, ...next }, {});
  useRowKeys(
    versions.filter(isThere).map(({ id }) => id),
    { from, to },
    choose,
  );
  const upload = writing.may && (
    <div className={styles.upload}>
      <Button off={writing.off} onClick={() => setUploads(true)}>
        {texts.uploadState}
      </Button>
      {writing.off && <span className="soft">{writing.off}.</span>}
    </div>
  );
  return (
    <>
      <QueryResult query={list} what={texts.states} missing={<code>can-read-state-versions</code>}>
        {({ data, meta, ...beside }) =>
          data.length === 0 ? (
            <Empty title={texts.noStateYet} action={upload} command={texts.terraformApply}>
              {texts.theFirstApplyCreates}
            </Empty>
          ) : (
            <>
              {upload}
              <div className={styles.split}>
                <section aria-labelledby="versions">
                  <h2 id="versions" className="sr">
                    {texts.versions}
                  </h2>
                  <Versions
                    versions={data}
                    beside={beside}
                    organization={organization}
                    workspace={name}
                    from={from}
                    to={to}
                    onChoose={choose}
                  />
                  <Pager
                    page={page}
                    size={SIZE}
                    total={meta.pagination['total-count'] ?? data.length}
                    onPage={(next) => void navigate({ search: next === 1 ? {} : { page: String(next) } })}
                  />
                </section>
                {to && (
                  <Compare
                    key={`${from} ${to}`}
                    from={from}
                    to={to}
                    answer={answer}
                    organization={organization}
                    opened={chosen}
                    // The URL names both versions: a newer version must not change what a link shows.
                    onOpen={(opened) => go({ from, to }, opened)}
                  />
                )}
              </div>
            </>
          )
        }
      </QueryResult>
      {uploads && (
        <UploadDialog
          workspaceId={answer.data.id}
          name={name}
          newest={versions.find(isThere)}
          onClose={() => setUploads(false)}
        />
      )}
    </>
  );
}

interface Pair {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Keys: j and k move the newer version of the pair; with shift they move the older one. */
function useRowKeys(ids: readonly string[], { from, to }: Pair, choose: (next: Partial<Pair>) => void) {
  const step = (id: string | undefined, by: number) =>
    ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(id ?? '') + by))];
  useShortcuts(
    ids.length < 2
      ? []
      : [
          { keys: 'j', label: texts.newerVersionNext, hint: true, run: () => choose({ to: step(to, 1) }) },
          { keys: 'k', label: texts.newerVersionPrevious, hint: true, run: () => choose({ to: step(to, -1) }) },
          { keys: 'J', label: texts.olderVersionNext, hint: true, run: () => choose({ from: step(from, 1) }) },
          { keys: 'K', label: texts.olderVersionPrevious, hint: true, run: () => choose({ from: step(from, -1) }) },
        ],
  );
}
