import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/error.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Bars } from '../../components/bars/Bars.tsx';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Chips, CountChip, FilterChip, Tags } from '../../components/chip/Chip.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Area, Check, Field, FieldGroup, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { ICONS, type IconName } from '../../components/icon/icons.tsx';
import { Menu, MenuItem } from '../../components/menu/Menu.tsx';
import { Empty, Fault, NotAllowed } from '../../components/page-states/PageStates.tsx';
import { Loading } from '../../components/page-states/Skeleton.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { Secret } from '../../components/secret/Secret.tsx';
import { Panel, Section } from '../../components/section/Section.tsx';
import { RunState, State } from '../../components/state/State.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './components.module.css';
import * as texts from './texts.ts';

const STATUSES = ['applied', 'planned', 'applying', 'plan_queued', 'errored', 'discarded', 'planned_and_finished'];
const REQUEST = '043afd39-9d9d-456e-9dd5-1f15c38edb64';

const BARS = Array.from({ length: 24 }, (_, hour) => ({
  id: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
  value: (hour * 7) % 23,
  bad: hour % 5 === 0 ? hour % 4 : 0,
}));

/** Shows every component in its states, for development and tests. */
export function ComponentsPage() {
  usePlace([{ label: texts.components }]);
  const [page, setPage] = useState(1);
  const [on, setOn] = useState(false);
  const [asks, setAsks] = useState(false);
  const [text, setText] = useState('');
  return (
    <>
      <PageHead title={texts.components} lede={texts.buildingBlocksOfPages} />
      <Section title={texts.buttons}>
        <Row>
          <Button look="primary">{texts.confirmAndApply}</Button>
          <Button onClick={() => setAsks(true)}>{texts.ask}</Button>
          <Button look="danger">{texts.deleteText}</Button>
          <Button off={texts.anotherUserHoldsTheLock}>{texts.unlock}</Button>
          <Button look="quiet">{texts.quiet}</Button>
          <Button look="small">{texts.small}</Button>
          <Menu className={buttonClass()} button={texts.menu}>
            <MenuItem checked>{texts.one}</MenuItem>
            <MenuItem off={texts.unavailable}>{texts.two}</MenuItem>
          </Menu>
        </Row>
      </Section>
      <Section title={texts.states}>
        <Row>
          {STATUSES.map((status) => (
            <RunState key={status} status={status} />
          ))}
          <State icon="gate-shut" is="locked">
            {texts.runner7}
          </State>
        </Row>
      </Section>
      <Section title={texts.chipsTagsTimes}>
        <Row>
          <Chips>
            <FilterChip name="project" value="network" onRemove={() => {}} />
            <CountChip label={texts.errored} count="2" on={on} onToggle={() => setOn(!on)} />
          </Chips>
          <Tags names={['network', 'env:prod', 'tier:0']} most={2} />
          <Copyable text="ws-1pAK2pLyGZruc2Mx" what={texts.id} />
          <Ago time="2026-01-01T00:00:00Z" />
        </Row>
      </Section>
      <FormExample />
      <Section title={texts.bars}>
        <Bars label={texts.loginsAndRefusalsAnHour} bars={BARS} names={{ value: 'logins', bad: 'refused' }} />
      </Section>
      <Section title={texts.banners}>
        <Banner is="locked" icon="gate-shut" actions={<Button look="small">{texts.unlock}</Button>}>
          {texts.lockedBy} <strong>{texts.runner7}</strong> {texts.for14Minutes}
        </Banner>
        <Banner is="attention" icon="warn">
          {texts.theServerDoesNot}
        </Banner>
        <Banner is="bad" icon="err">
          {texts.theRunFailed}
        </Banner>
      </Section>
      <Panel title={texts.aPanel} note={<RunState status="applying" />} end={texts.atItsEnd}>
        {texts.oneItemAmongOthers}
      </Panel>
      <Section title={texts.queryStates}>
        <Loading what={texts.workspaces} />
        <Empty title={texts.noWorkspacesYet} action={<Button>{texts.newWorkspace}</Button>} command="tofu init">
          {texts.aWorkspaceStoresThe}
        </Empty>
        <Fault
          what={texts.workspaces}
          error={new ApiError(503, texts.theDatabaseIsNotReachable, REQUEST)}
          onRetry={() => {}}
        />
        <NotAllowed
          what={texts.workspaces}
          error={new ApiError(403, texts.permissionDenied, REQUEST)}
          missing={<code>can-read-settings</code>}
        />
      </Section>
      <Section title={texts.pager}>
        <Pager page={page} size={50} total={148} onPage={setPage} />
      </Section>
      <Section title={texts.icons}>
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
          title={texts.lockNetworkProd}
          action={texts.lock}
          onAction={() => setAsks(false)}
          onClose={() => setAsks(false)}
        >
          <Field label={texts.reason} value={text} onText={setText} />
        </AskDialog>
      )}
    </>
  );
}

/** Form with every kind of field and an error of the server. */
function FormExample() {
  const [text, setText] = useState('');
  const [on, setOn] = useState(false);
  const [secret, setSecret] = useState(true);
  return (
    <Section title={texts.form}>
      <Form
        action={texts.save}
        isPrimary={false}
        onSubmit={() => setSecret(true)}
        fault={new ApiError(422, texts.nameIsTaken, REQUEST, new Map([['name', texts.nameIsTaken]]))}
      >
        <FieldGroup label={texts.general}>
          <Field name="name" label={texts.title} help={texts.oneSentenceOfHelp} value={text} onText={setText} />
          <Area label={texts.certificate} isCode value={text} onText={setText} />
          <Select
            label={texts.execution}
            value={text === '' ? 'local' : 'remote'}
            options={[
              ['local', 'local'],
              ['remote', 'remote'],
            ]}
            onText={setText}
          />
          <Check label={texts.autoApply} help={texts.plannedRunsAreApplied} checked={on} onCheck={setOn} />
          <Field label={texts.path} off={texts.setByTheMount} value="auth/cert" onText={setText} />
        </FieldGroup>
      </Form>
      {secret && <Secret what={texts.tokenOfTeamNetwork} text="lkt.example" onClose={() => setSecret(false)} />}
    </Section>
  );
}

function Row({ children }: { readonly children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
