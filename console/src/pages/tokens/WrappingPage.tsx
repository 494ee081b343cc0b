import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { send } from '../../api/request.ts';
import { Button } from '../../components/button/Button.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Area, Field } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Secret } from '../../components/secret/Secret.tsx';
import { Section } from '../../components/section/Section.tsx';
import { exact, long } from '../../format/time.ts';
import { useMay } from '../../shell/may.ts';
import { TokensFrame } from './TokensFrame.tsx';
import styles from './tokens.module.css';

const WRAP = 'POST /sys/wrapping/wrap';
type Wrapped = { readonly wrap_info: { readonly token: string } };

/** Something that is handed over by a token that is good once. */
export function WrappingPage() {
  const may = useMay(['sys/wrapping/wrap']);
  usePathLine({ request: access.request(WRAP, { body: {} }), command: 'lockkeeper write sys/wrapping/wrap KEY=VALUE' });
  return (
    <TokensFrame title="Wrapping">
      <p className="soft">
        A wrapping token stands for something that is handed over, and is good once. Who finds it used already knows
        that somebody else was there before.
      </p>
      <div className={styles.columns}>
        {may('sys/wrapping/wrap', 'update') && <Wrap />}
        <Take />
      </div>
    </TokensFrame>
  );
}

function Wrap() {
  const [text, setText] = useState('{\n  "password": ""\n}');
  const [ttl, setTtl] = useState('5m');
  const wrap = useMutation({
    mutationFn: async () => {
      const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
      const request = { ...access.request(WRAP, { body }), headers: { 'x-vault-wrap-ttl': ttl } };
      return (await send(request)) as Wrapped;
    },
    gcTime: 0,
    onSuccess: () => setText('{}'),
  });
  return (
    <Section title="Wrap">
      {wrap.data ? (
        <Secret what="wrapping token" text={wrap.data.wrap_info.token} onClose={() => wrap.reset()} />
      ) : (
        <Form
          action="Wrap it"
          onSubmit={() => wrap.mutate()}
          busy={wrap.isPending}
          off={isObject(text) ? undefined : 'It is not an object in JSON yet'}
          fault={wrap.error}
        >
          <Area label="What is handed over" isCode rows={5} value={text} onText={setText} help="An object in JSON." />
          <Field label="Good for" value={ttl} onText={setTtl} help="5m, 1h, 1d." />
        </Form>
      )}
    </Section>
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function Take() {
  const [token, setToken] = useState('');
  const body = { token: token.trim() };
  const lookup = useMutation({ mutationFn: () => access.send('POST /sys/wrapping/lookup', { body }), gcTime: 0 });
  const rewrap = useMutation({
    mutationFn: () => access.send('POST /sys/wrapping/rewrap', { body }),
    gcTime: 0,
    onSuccess: () => setToken(''),
  });
  const unwrap = useMutation({
    mutationFn: () => access.send('POST /sys/wrapping/unwrap', { body }),
    gcTime: 0,
    onSuccess: () => setToken(''),
  });
  const off = token.trim() === '' && 'Enter a wrapping token';
  const about = lookup.data?.data;
  const start = (ask: () => void) => () => {
    for (const one of [lookup, rewrap, unwrap]) one.reset();
    ask();
  };
  return (
    <Section title="Look up, unwrap, rewrap">
      <Form
        action="Unwrap"
        isPrimary={false}
        onSubmit={start(() => unwrap.mutate())}
        busy={unwrap.isPending}
        off={off}
        fault={lookup.error ?? rewrap.error ?? unwrap.error}
        also={
          <>
            <Button off={off} onClick={start(() => lookup.mutate())}>
              Look up
            </Button>
            <Button off={off} onClick={start(() => rewrap.mutate())}>
              Rewrap
            </Button>
          </>
        }
      >
        <Field
          label="Wrapping token"
          type="password"
          autoComplete="off"
          value={token}
          onText={setToken}
          help="To look it up does not use it. To unwrap it does."
        />
      </Form>
      {about && (
        <Facts
          of={[
            ['Came from', <code key="path">{about.creation_path}</code>],
            ['Made', exact(about.creation_time)],
            ['Good for', long(Number(about.creation_ttl))],
          ]}
        />
      )}
      {rewrap.data && (
        <Secret what="wrapping token" text={rewrap.data.wrap_info.token} onClose={() => rewrap.reset()} />
      )}
      {unwrap.data && (
        <>
          <pre className={styles.answer}>{JSON.stringify(unwrap.data.auth ?? unwrap.data.data, null, 2)}</pre>
          <Button look="small" onClick={() => unwrap.reset()}>
            Hide it
          </Button>
        </>
      )}
    </Section>
  );
}
