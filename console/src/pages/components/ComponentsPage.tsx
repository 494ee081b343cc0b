import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/error.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Bars } from '../../components/bars/Bars.tsx';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Chips, CountChip, FilterChip, Tags } from '../../components/chip/Chip.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Loading } from '../../components/faces/Bone.tsx';
import { Empty, Fault, NotAllowed } from '../../components/faces/Faces.tsx';
import { Area, Check, Field, FieldGroup, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { ICONS, type IconName } from '../../components/icon/icons.tsx';
import { Menu, MenuItem } from '../../components/menu/Menu.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { Secret } from '../../components/secret/Secret.tsx';
import { Panel, Section } from '../../components/section/Section.tsx';
import { RunState, State } from '../../components/state/State.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './components.module.css';

const STATUSES = ['applied', 'planned', 'applying', 'plan_queued', 'errored', 'discarded', 'planned_and_finished'];
const REQUEST = '043afd39-9d9d-456e-9dd5-1f15c38edb64';

const BARS = Array.from({ length: 24 }, (_, hour) => ({
  id: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
  value: (hour * 7) % 23,
  bad: hour % 5 === 0 ? hour % 4 : 0,
}));

/** Every component in its states: to look at while one changes, and for the tests of all of them. */
export function ComponentsPage() {
  usePlace([{ label: 'Components' }]);
  const [page, setPage] = useState(1);
  const [on, setOn] = useState(false);
  const [asks, setAsks] = useState(false);
  const [text, setText] = useState('');
  return (
    <>
      <PageHead title="Components" lede="What pages are made of. For those who make pages." />
      <Section title="Buttons">
        <Row>
          <Button look="primary">Confirm and apply</Button>
          <Button onClick={() => setAsks(true)}>Ask…</Button>
          <Button look="danger">Delete…</Button>
          <Button off="Somebody else holds it">Unlock</Button>
          <Button look="quiet">Quiet</Button>
          <Button look="small">Small</Button>
          <Menu className={buttonClass()} button="Menu">
            <MenuItem checked>One</MenuItem>
            <MenuItem off="not now">Two</MenuItem>
          </Menu>
        </Row>
      </Section>
      <Section title="States">
        <Row>
          {STATUSES.map((status) => (
            <RunState key={status} status={status} />
          ))}
          <State icon="gate-shut" is="locked">
            runner-7
          </State>
        </Row>
      </Section>
      <Section title="Chips, tags, times">
        <Row>
          <Chips>
            <FilterChip name="project" value="network" onRemove={() => {}} />
            <CountChip label="errored" count="2" on={on} onToggle={() => setOn(!on)} />
          </Chips>
          <Tags names={['network', 'env:prod', 'tier:0']} most={2} />
          <Copyable text="ws-1pAK2pLyGZruc2Mx" what="id" />
          <Ago time="2026-01-01T00:00:00Z" />
        </Row>
      </Section>
      <FormExample />
      <Section title="Bars">
        <Bars label="Logins and refusals an hour" bars={BARS} names={{ value: 'logins', bad: 'refused' }} />
      </Section>
      <Section title="Banners">
        <Banner is="locked" icon="gate-shut" actions={<Button look="small">Unlock</Button>}>
          Locked by <strong>runner-7</strong> for 14 minutes.
        </Banner>
        <Banner is="attention" icon="warn">
          The server does not answer. It is asked again.
        </Banner>
        <Banner is="bad" icon="err">
          The run has failed.
        </Banner>
      </Section>
      <Panel title="A panel" note={<RunState status="applying" />} end="at its end">
        One thing among others.
      </Panel>
      <Section title="Faces">
        <Loading what="Workspaces" />
        <Empty title="No workspaces yet" action={<Button>New workspace</Button>} command="tofu init">
          A workspace keeps the state of one configuration.
        </Empty>
        <Fault
          what="Workspaces"
          error={new ApiError(503, 'the database is not reachable', REQUEST)}
          onRetry={() => {}}
        />
        <NotAllowed
          what="Workspaces"
          error={new ApiError(403, 'permission denied', REQUEST)}
          missing={<code>can-read-settings</code>}
        />
      </Section>
      <Section title="Pager">
        <Pager page={page} size={50} total={148} onPage={setPage} />
      </Section>
      <Section title="Signs">
        <Row>
          {(Object.keys(ICONS) as IconName[]).map((name) => (
            <span key={name}>
              <Icon name={name} /> {name}
            </span>
          ))}
        </Row>
      </Section>
      {asks && (
        <AskDialog
          title="Lock network-prod"
          action="Lock"
          onAction={() => setAsks(false)}
          onClose={() => setAsks(false)}
        >
          <Field label="Reason" value={text} onText={setText} />
        </AskDialog>
      )}
    </>
  );
}

/** One of everything that can be filled in, as the server refuses it. */
function FormExample() {
  const [text, setText] = useState('');
  const [on, setOn] = useState(false);
  const [secret, setSecret] = useState(true);
  return (
    <Section title="Form">
      <Form
        action="Save"
        isPrimary={false}
        onSubmit={() => setSecret(true)}
        fault={new ApiError(422, 'name is taken', REQUEST, new Map([['name', 'name is taken']]))}
      >
        <FieldGroup label="General">
          <Field name="name" label="Title" help="One sentence on it." value={text} onText={setText} />
          <Area label="Certificate" isCode value={text} onText={setText} />
          <Select
            label="Execution"
            value={text === '' ? 'local' : 'remote'}
            options={[
              ['local', 'local'],
              ['remote', 'remote'],
            ]}
            onText={setText}
          />
          <Check label="Auto-apply" help="Whoever starts a run is not asked." checked={on} onCheck={setOn} />
          <Field label="Path" off="The mount decides" value="auth/cert" onText={setText} />
        </FieldGroup>
      </Form>
      {secret && <Secret what="token of team network" text="lkt.example" onClose={() => setSecret(false)} />}
    </Section>
  );
}

function Row({ children }: { readonly children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
