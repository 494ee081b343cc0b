import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Area, Check, Field, FieldGroup } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { warningsOf } from '../../components/role/RoleForm.tsx';
import { useMay } from '../../shell/may.ts';
import { type Config, type Filled, filledOf, written } from './config.ts';
import { Frame } from './Frame.tsx';
import { KeyPlaces } from './KeyPlaces.tsx';
import * as texts from './texts.ts';

const READ = 'GET /auth/{jwt_mount_path}/config';
const WRITE = 'POST /auth/{jwt_mount_path}/config';
const route = getRouteApi('/signed-in/~access/jwt/configuration');

/** Configuration of a JWT mount: the issuer and its keys. */
export function ConfigurationPage() {
  const { mount = 'jwt' } = route.useSearch();
  const path = { jwt_mount_path: mount };
  const place = `auth/${mount}/config`;
  const may = useMay([place]);
  usePathLine({ request: access.request(READ, { path }), command: `lockkeeper read ${place}` });
  const query = access.query(READ, { path });
  const config = useQuery<Config | null>({
    queryKey: [...query.queryKey, 'or none'],
    queryFn: async (context) => {
      try {
        return (await query.queryFn(context)).data;
      } catch (error) {
        // The mount has no configuration yet.
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
  return (
    <Frame
      title={texts.configuration}
      mount={mount}
      lede={config.data === null ? texts.noIssuerIsConfigured : texts.issuerOfAcceptedTokens}
    >
      <QueryResult query={config} what={texts.theConfiguration} missing={<code>read on {place}</code>}>
        {(data) => <ConfigForm key={mount} mount={mount} config={data} mayWrite={may(place, 'update', 'create')} />}
      </QueryResult>
    </Frame>
  );
}

interface ConfigFormProps {
  readonly mount: string;
  readonly config: Config | null;
  readonly mayWrite: boolean;
}

function ConfigForm({ mount, config, mayWrite }: ConfigFormProps) {
  const before = filledOf(config ?? undefined);
  const [after, setAfter] = useState(before);
  const queries = useQueryClient();
  const set = (change: Partial<Filled>) => setAfter((known) => ({ ...known, ...change }));
  const save = useMutation({
    mutationFn: () => access.send(WRITE, { path: { jwt_mount_path: mount }, body: written(after) }),
    onSuccess: async () => {
      announce(texts.configuredAuth(mount));
      await queries.invalidateQueries({ queryKey: access.key() });
      set({ skips: false });
    },
  });
  const isSame = config !== null && JSON.stringify(written(before)) === JSON.stringify(written(after));
  const off = mayWrite ? isSame && texts.noChanges : texts.requiresUpdateOnAuthConfig(mount);
  const text = { readOnly: !mayWrite, spellCheck: false };
  return (
    <Form
      action={texts.save}
      isPrimary={mayWrite}
      busy={save.isPending}
      fault={save.error}
      off={off}
      done={save.isSuccess && isSame && texts.saved}
      onSubmit={() => save.mutate()}
    >
      {warningsOf(save.data).map((warning) => (
        <Banner key={warning} is="attention" icon="warn">
          {warning}
        </Banner>
      ))}
      <KeyPlaces of={after} onChange={set} mayWrite={mayWrite} />
      <FieldGroup label={texts.validation}>
        <Field
          label="bound_issuer"
          help={texts.requiredValueOfIssEmpty(after.source === 'discovery' ? texts.theIssuerOfOidc : texts.anyValue)}
          value={after.issuer}
          onText={(issuer) => set({ issuer })}
          {...text}
        />
        <Area
          label="jwt_supported_algs"
          help={texts.signatureAlgorithmsOneOn}
          isCode
          rows={2}
          value={after.algorithms}
          onText={(algorithms) => set({ algorithms })}
          {...text}
        />
        <Field
          label="default_role"
          help={texts.roleOfLoginsThat}
          value={after.defaultRole}
          onText={(defaultRole) => set({ defaultRole })}
          {...text}
        />
      </FieldGroup>
      {mayWrite && (
        <Check
          label="skip_jwks_validation"
          help={texts.storesTheConfigurationEven}
          checked={after.skips}
          onCheck={(skips) => set({ skips })}
        />
      )}
    </Form>
  );
}
