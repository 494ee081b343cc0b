import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { useCopy } from '../../components/copy/copy.ts';
import { Icon } from '../../components/icon/Icon.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { count } from '../../format/number.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace } from '../../shell/workspace.ts';
import styles from './outputs.module.css';
import * as texts from './texts.ts';
import { longText, textOf } from './value.ts';

const LIST = 'GET /workspaces/{workspace_id}/current-state-version-outputs';
const ONE = 'GET /state-version-outputs/{output_id}';
const SIZE = 100;
const EVERY_MS = 10_000;
const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/outputs');

type Output = Resources['state-version-outputs'];

/** Outputs of a workspace's current state. */
export function OutputsPage() {
  const { organization, workspace, query } = useWorkspace();
  const page = Math.max(1, Number.parseInt(route.useSearch().page ?? '1', 10) || 1);
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/outputs' });
  const input = {
    path: { workspace_id: query.data?.data.id ?? '' },
    query: { 'page[number]': String(page), 'page[size]': String(SIZE) },
  };
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: texts.outputs },
  ]);
  const request = workspaces.request(LIST, input);
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  const outputs = useQuery({
    ...workspaces.query(LIST, input),
    enabled: query.data !== undefined,
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <QueryResult query={outputs} what={texts.theOutputs} missing={<code>can-read-state-outputs</code>}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title={texts.noOutputsYet} command="terraform output">
            {texts.outputsAppearHereAfter}
          </Empty>
        ) : (
          <>
            <dl className={styles.outputs}>
              {data.map((output) => (
                <One key={output.id} output={output} />
              ))}
            </dl>
            <Pager
              page={page}
              size={SIZE}
              total={meta.pagination['total-count'] ?? data.length}
              onPage={(next) => void navigate({ search: next === 1 ? {} : { page: String(next) } })}
            />
          </>
        )
      }
    </QueryResult>
  );
}

/** One output. A sensitive value is loaded on request and not cached. */
function One({ output }: { readonly output: Output }) {
  const { name, sensitive, type, value } = output.attributes;
  const shown = useMutation({
    mutationFn: () => workspaces.send(ONE, { path: { output_id: output.id } }),
    gcTime: 0,
    onSuccess: () => announce(texts.isShown(name)),
  });
  const isHidden = sensitive && !shown.data;
  const text = textOf(shown.data ? shown.data.data.attributes.value : value);
  return (
    <div className={styles.output}>
      <dt>
        <code>{name}</code>
        <span className="soft">
          {type}
          {sensitive && texts.sensitive}
        </span>
      </dt>
      <dd>
        {isHidden ? (
          <>
            <span className="soft">{texts.hidden}</span>
            <Button look="small" onClick={() => shown.mutate()}>
              {shown.isPending ? texts.showing : texts.show}
              <span className="sr"> {name}</span>
            </Button>
            {shown.error && <span role="alert">{shown.error.message}</span>}
          </>
        ) : (
          <>
            <Value text={text} />
            <span className={styles.actions}>
              <CopyButton text={text} name={name} />
              {sensitive && (
                <Button look="small" onClick={() => shown.reset()}>
                  {texts.hide}
                  <span className="sr"> {name}</span>
                </Button>
              )}
            </span>
          </>
        )}
      </dd>
    </div>
  );
}

function Value({ text }: { readonly text: string }) {
  if (text === '') return <span className="soft">{texts.emptyTextOrA}</span>;
  const { shown, more } = longText(text);
  return (
    <div className={styles.value}>
      <pre>{shown}</pre>
      {more > 0 && <p className="soft">{texts.moreCharactersCopyThe(count(more))}</p>}
    </div>
  );
}

function CopyButton({ text, name }: { readonly text: string; readonly name: string }) {
  const { copied, copy } = useCopy();
  return (
    <Button look="small" onClick={() => copy(text)}>
      <Icon name={copied ? 'check' : 'copy'} />
      {texts.copy}
      <span className="sr"> {name}</span>
    </Button>
  );
}
