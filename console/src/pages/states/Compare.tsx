import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { ChangeCounts } from '../../components/changes/Changes.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { bytes } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import type { WorkspaceAnswer } from '../../shell/workspace.ts';
import { ChangeList } from './ChangeList.tsx';
import { RollbackDialog } from './RollbackDialog.tsx';
import { useReading } from './reading/use-reading.ts';
import styles from './states.module.css';
import * as texts from './texts.ts';
import { makerOf, type Version } from './version.ts';
import { useWriting } from './writing.ts';

const DIFF = 'GET /state-versions/{state_version_id}/diff';
const SHOW = 'GET /state-versions/{state_version_id}';

interface CompareProps {
  readonly from: string | undefined;
  readonly to: string;
  readonly answer: WorkspaceAnswer;
  readonly organization: string;
  /** Resource or output whose values are shown. */
  readonly opened: Opened;
  readonly onOpen: (opened: Opened) => void;
}

/** Address of a resource or an output. */
export interface Opened {
  readonly resource?: string | undefined;
  readonly output?: string | undefined;
}

/** Compares two versions: lists the changed resources and outputs, and reads their values on request. */
export function Compare({ from, to, answer, organization, opened, onOpen }: CompareProps) {
  const [rollsBack, setRollsBack] = useState(false);
  const { name } = answer.data.attributes;
  const writing = useWriting(answer);
  const input = { path: { state_version_id: to }, query: { ...(from && { from }) } };
  const request = workspaces.request(DIFF, input);
  usePathLine({ request, command: `lockkeeper api GET ${request.address.replace('/api/v2/', '')}` });
  const diff = useQuery({ ...workspaces.query(DIFF, input), placeholderData: keepPreviousData });
  const before = useVersion(from);
  const after = useVersion(to);
  const reading = useReading(before?.version, after?.version);
  const download = `/api/v2/state-versions/${to}/download`;
  useShortcuts([{ keys: 'd', label: texts.download, hint: true, run: () => location.assign(download) }]);
  const isCurrent = from === answer.data.relationships['current-state-version']?.data?.id;
  return (
    <section className={styles.compare} aria-labelledby="compared">
      <QueryResult query={diff} what={texts.theComparison}>
        {({ data: { attributes } }) => (
          <>
            <div className={styles.head}>
              <h2 id="compared">
                {attributes['serial-from'] === null
                  ? texts.theFirstState(attributes['serial-to'])
                  : texts.fromTo(attributes['serial-from'], attributes['serial-to'])}
              </h2>
              <ChangeCounts of={attributes.resources} />
              <span className={styles.end}>
                <a
                  className={buttonClass('small')}
                  href={download}
                  download={`${name}-${attributes['serial-to']}.tfstate`}
                >
                  <Icon name="download" />
                  <span className="sr">{texts.download2} </span>
                  {attributes['serial-to']}
                </a>
                {writing.may && from && !isCurrent && before && (
                  <Button look="small" off={writing.off} onClick={() => setRollsBack(true)}>
                    {texts.rollBackTo(attributes['serial-from'])}
                  </Button>
                )}
              </span>
            </div>
            {after && (
              <Meta before={before?.version} after={after.version} maker={makerOf(after.version, after.beside)} />
            )}
            {attributes.comparable ? (
              <>
                <ChangeList
                  title={texts.resources}
                  kind="resource"
                  of={attributes.resources}
                  none={texts.noResourcesWereAdded}
                  reading={reading}
                  open={opened.resource}
                  onOpen={(resource) => onOpen({ resource })}
                />
                <ChangeList
                  title={texts.outputs}
                  kind="output"
                  of={asAddressed(attributes.outputs)}
                  none={texts.noOutputsWereAdded}
                  reading={reading}
                  open={opened.output}
                  onOpen={(output) => onOpen({ output })}
                />
                <p className={styles.note}>
                  {reading.tooLarge ? texts.valuesCannotBeCompared(bytes(reading.tooLarge)) : texts.onlyNamesAreShown}
                </p>
              </>
            ) : (
              <p className={styles.note}>{attributes.reason}.</p>
            )}
          </>
        )}
      </QueryResult>
      {rollsBack && before && (
        <RollbackDialog
          workspaceId={answer.data.id}
          name={`${organization}/${name}`}
          version={before.version}
          onClose={() => setRollsBack(false)}
        />
      )}
    </section>
  );
}

/** Reads a version and its creator. */
function useVersion(id: string | undefined) {
  const query = { include: 'created_by' };
  const { data } = useQuery({
    ...workspaces.query(SHOW, { path: { state_version_id: id ?? '' }, query }),
    enabled: id !== undefined,
  });
  return data && { version: data.data, beside: data };
}

interface MetaProps {
  readonly before: Version | undefined;
  readonly after: Version;
  readonly maker: string;
}

function Meta({ before, after, maker }: MetaProps) {
  const { attributes } = after;
  const [old, now] = [before?.attributes.size, attributes.size].map((size) =>
    size === undefined ? undefined : bytes(size),
  );
  const lineage = attributes.lineage;
  const isSame = before === undefined || before.attributes.lineage === lineage;
  return (
    <dl className={styles.meta}>
      <div>
        <dt>{texts.createdBy}</dt>
        <dd>
          {maker} {attributes['created-by-certificate'] && <span className="soft">{texts.withACertificate}</span>}
        </dd>
      </div>
      {attributes['terraform-version'] && (
        <div>
          <dt>{texts.engine}</dt>
          <dd className="mono">{attributes['terraform-version']}</dd>
        </div>
      )}
      <div>
        <dt>{texts.size}</dt>
        <dd>{old === undefined || old === now ? now : texts.to(old, now)}</dd>
      </div>
      {lineage && (
        <div>
          <dt>{texts.lineage}</dt>
          <dd>
            <span className="mono" title={lineage}>
              {lineage.length > 12 ? `${lineage.slice(0, 4)}…${lineage.slice(-4)}` : lineage}
            </span>
            {before && (isSame ? texts.unchanged : texts.changed)}
          </dd>
        </div>
      )}
    </dl>
  );
}

interface Named {
  readonly name: string;
}

function asAddressed(lists: Readonly<Record<'added' | 'changed' | 'removed', readonly Named[]>>) {
  const addressed = (list: readonly Named[]) => list.map((one) => ({ ...one, address: one.name }));
  return { added: addressed(lists.added), changed: addressed(lists.changed), removed: addressed(lists.removed) };
}
