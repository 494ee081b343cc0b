import { triggerText } from '../../../../src/lib/provenance/run-trigger.ts';
import { related } from '../../api/json-api.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Section } from '../../components/section/Section.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { bytes } from '../../format/number.ts';
import { exact } from '../../format/time.ts';
import { RunOrigin } from './RunOrigin.tsx';
import * as texts from './texts.ts';
import type { RunAnswer } from './use-run.ts';

/** Details of a run: its origin and options. */
export function RunFacts({ answer }: { readonly answer: RunAnswer }) {
  const { id, attributes, relationships } = answer.data;
  const version = relationships['configuration-version'].data;
  const uploaded = related(answer, version, 'configuration-versions')?.attributes;
  const yes = (name: 'plan-only' | 'is-destroy' | 'refresh-only' | 'auto-apply' | 'save-plan') =>
    attributes[name] && texts.yes;
  return (
    <>
      {attributes['engine-warning'] && (
        <Banner is="attention" icon="warn">
          {attributes['engine-warning']}.
        </Banner>
      )}
      <section>
        <h2>{texts.details}</h2>
        <Facts
          of={[
            [texts.id, <Copyable key="id" text={id} what={texts.id2} />],
            [texts.started, exact(attributes['created-at'])],
            [texts.startedBy, attributes['created-by-name']],
            [texts.confirmedBy, attributes['confirmed-by-name']],
            [texts.agent, attributes['agent-name']],
            [texts.trigger, triggerText(attributes.source, attributes['trigger-reason'], attributes.client)],
            [texts.engineUsed, attributes['engine-used'] && <code key="used">{attributes['engine-used']}</code>],
            [
              texts.engineRequested,
              attributes['engine-used'] === null && (
                <code key="engine">{`${attributes.engine ?? ''} ${attributes['terraform-version']}`.trim()}</code>
              ),
            ],
            [texts.configuration, version && <Copyable key="version" text={version.id} what={texts.configurationId} />],
            [texts.uploaded, uploaded && texts.by(bytes(uploaded.size), uploaded.source)],
            [texts.waitingFor, attributes['waiting-for']],
            [
              texts.queuePosition,
              attributes['position-in-queue'] > 0 && texts.position(attributes['position-in-queue']),
            ],
          ]}
        />
      </section>
      <RunOrigin answer={answer} />
      <section>
        <h2>{texts.options}</h2>
        <Facts
          of={[
            [texts.planOnly, yes('plan-only')],
            [texts.destroy, yes('is-destroy')],
            [texts.refreshOnly, yes('refresh-only')],
            [texts.refresh, attributes.refresh ? texts.yes : texts.no],
            [texts.autoApply, yes('auto-apply')],
            [texts.emptyApply, attributes['allow-empty-apply'] && texts.allowed],
            [texts.savePlan, yes('save-plan')],
            [texts.targets, addresses(attributes['target-addrs'])],
            [texts.replacements, addresses(attributes['replace-addrs'])],
          ]}
        />
      </section>
    </>
  );
}

/** List of addresses; null if there are none. */
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
  { id: 'key', head: texts.name, isName: true, cell: ({ key }) => <code>{key}</code> },
  { id: 'value', head: texts.value, cell: ({ value }) => <code>{value}</code> },
];

/** Variables of this run, which override those of the workspace. */
export function RunVariables({ of }: { readonly of: readonly Variable[] }) {
  return (
    <Section title={texts.variablesOfThisRun} note={texts.theyOverrideThoseOf}>
      <Table label={texts.variablesOfThisRun} twoLines columns={COLUMNS} items={of} keyOf={({ key }) => key} flush />
    </Section>
  );
}
