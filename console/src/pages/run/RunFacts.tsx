import { related } from '../../api/json-api.ts';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Section } from '../../components/section/Section.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { bytes } from '../../format/number.ts';
import { exact } from '../../format/time.ts';
import type { RunAnswer } from './use-run.ts';

/** What a run was started with, by whom and from where. */
export function RunFacts({ answer }: { readonly answer: RunAnswer }) {
  const { id, attributes, relationships } = answer.data;
  const version = relationships['configuration-version'].data;
  const uploaded = related(answer, version, 'configuration-versions')?.attributes;
  const yes = (name: 'plan-only' | 'is-destroy' | 'refresh-only' | 'auto-apply' | 'save-plan') =>
    attributes[name] && 'yes';
  return (
    <>
      <section>
        <h2>Facts</h2>
        <Facts
          of={[
            ['Id', <Copyable key="id" text={id} what="id" />],
            ['Begun', exact(attributes['created-at'])],
            ['By', attributes['created-by-name']],
            ['Confirmed by', attributes['confirmed-by-name']],
            ['Agent', attributes['agent-name']],
            ['Source', attributes.source],
            ['Reason', attributes['trigger-reason']],
            [
              'Engine',
              <code key="engine">{`${attributes.engine ?? ''} ${attributes['terraform-version']}`.trim()}</code>,
            ],
            ['Configuration', version && <Copyable key="version" text={version.id} what="id of the configuration" />],
            ['Uploaded', uploaded && `${bytes(uploaded.size)}, by ${uploaded.source}`],
            ['Waits for', attributes['waiting-for']],
            ['In the queue', attributes['position-in-queue'] > 0 && `place ${attributes['position-in-queue']}`],
          ]}
        />
      </section>
      <section>
        <h2>As it was asked for</h2>
        <Facts
          of={[
            ['Plan only', yes('plan-only')],
            ['Destroys', yes('is-destroy')],
            ['Refresh only', yes('refresh-only')],
            ['Refreshes', attributes.refresh ? 'yes' : 'no'],
            ['Auto-apply', yes('auto-apply')],
            ['Empty apply', attributes['allow-empty-apply'] && 'allowed'],
            ['Saves the plan', yes('save-plan')],
            ['Targets', addresses(attributes['target-addrs'])],
            ['Replaces', addresses(attributes['replace-addrs'])],
          ]}
        />
      </section>
    </>
  );
}

/** Nothing where there are none. */
function addresses(of: readonly string[] | null) {
  if (!of || of.length === 0) return null;
  return (
    <ul>
      {of.map((address) => (
        <li key={address}>
          <code>{address}</code>
        </li>
      ))}
    </ul>
  );
}

interface Variable {
  readonly key: string;
  readonly value: string;
}

const COLUMNS: readonly Column<Variable>[] = [
  { id: 'key', head: 'Name', isName: true, cell: ({ key }) => <code>{key}</code> },
  { id: 'value', head: 'Value', cell: ({ value }) => <code>{value}</code> },
];

/** Given to this run alone, over those of the workspace. */
export function RunVariables({ of }: { readonly of: readonly Variable[] }) {
  return (
    <Section title="Variables of this run" note="over those of the workspace">
      <Table label="Variables of this run" twoLines columns={COLUMNS} items={of} keyOf={({ key }) => key} flush />
    </Section>
  );
}
