import { Link } from '@tanstack/react-router';
import { Icon } from '../../components/icon/Icon.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { bytes, count } from '../../format/number.ts';
import styles from './states.module.css';
import * as texts from './texts.ts';
import { absenceOf, type Beside, isThere, makerOf, type Version } from './version.ts';

interface VersionsProps {
  readonly versions: readonly Version[];
  readonly beside: Beside;
  readonly organization: string;
  readonly workspace: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChoose: (next: { from?: string; to?: string }) => void;
}

/** Table of state versions, newest first. Two radio buttons in each row choose the pair to compare. */
export function Versions({ versions, beside, organization, workspace, from, to, onChoose }: VersionsProps) {
  const pick = (which: 'from' | 'to', head: string, chosen: string | undefined): Column<Version> => ({
    id: which,
    head,
    className: styles.pick,
    cell: (version) =>
      isThere(version) && (
        <input
          type="radio"
          name={which}
          aria-label={texts.compare2(which, version.attributes.serial, version.id)}
          checked={version.id === chosen}
          onChange={() => onChoose({ [which]: version.id })}
        />
      ),
  });
  const columns: readonly Column<Version>[] = [
    pick('from', texts.from, from),
    pick('to', texts.to2, to),
    {
      id: 'serial',
      head: texts.serial,
      isName: true,
      isNumber: true,
      className: styles.serial,
      cell: ({ id, attributes }) => (
        <Link
          to="/$organization/workspaces/$workspace/states/$version"
          params={{ organization, workspace, version: id }}
        >
          {attributes.serial}
        </Link>
      ),
    },
    {
      id: 'by',
      head: texts.createdBy,
      className: styles.by,
      cell: (version) => <Maker of={version} beside={beside} />,
    },
    {
      id: 'why',
      head: texts.source,
      className: styles.why,
      cell: (version) => <Reason of={version} versions={versions} organization={organization} workspace={workspace} />,
    },
    {
      id: 'resources',
      head: texts.resources,
      isNumber: true,
      className: styles.figure,
      cell: (version) => isThere(version) && count(version.attributes['billable-rum-count']),
    },
    {
      id: 'size',
      head: texts.size,
      isNumber: true,
      className: `${styles.figure} soft`,
      cell: (version) => isThere(version) && bytes(version.attributes.size),
    },
    {
      id: 'when',
      head: texts.created,
      isNumber: true,
      className: `${styles.when} soft`,
      cell: ({ attributes }) => <Ago time={attributes['created-at']} />,
    },
  ];
  return (
    <Table
      label={texts.stateVersionsNewestFirst}
      flush
      className={styles.versions ?? ''}
      columns={columns}
      items={versions}
      keyOf={({ id }) => id}
      isAt={({ id }) => id === from || id === to}
    />
  );
}

function Maker({ of: version, beside }: { readonly of: Version; readonly beside: Beside }) {
  const certificate = version.attributes['created-by-certificate'];
  return (
    <>
      {makerOf(version, beside)}
      {certificate && (
        <span className={styles.certificate} title={texts.withTheCertificateOf(certificate.subject)}>
          <Icon name="cert" />
          <span className="sr">{texts.withTheCertificateOf(certificate.subject)}</span>
        </span>
      )}
    </>
  );
}

interface ReasonProps {
  readonly of: Version;
  /** Versions on the page: the serial of a rollback source is read from them. */
  readonly versions: readonly Version[];
  readonly organization: string;
  readonly workspace: string;
}

/** Source of a version: a run, a rollback or an upload; or the reason why it has no state. */
export function Reason({ of: version, versions, organization, workspace }: ReasonProps) {
  const absence = absenceOf(version);
  if (absence) return <span className="soft">{absence}</span>;
  const { run, 'rollback-state-version': source } = version.relationships;
  if (run.data) {
    return (
      <Link
        className="link mono"
        to="/$organization/workspaces/$workspace/runs/$run"
        params={{ organization, workspace, run: run.data.id }}
      >
        {run.data.id}
      </Link>
    );
  }
  if (source.data) {
    const serial = versions.find(({ id }) => id === source.data?.id)?.attributes.serial;
    return (
      <Link
        className="soft"
        to="/$organization/workspaces/$workspace/states/$version"
        params={{ organization, workspace, version: source.data.id }}
      >
        {texts.rollbackTo(serial ?? source.data.id)}
      </Link>
    );
  }
  return (
    <span className="soft">{version.attributes.intermediate ? texts.intermediateStateOfAnApply : texts.uploaded}</span>
  );
}
