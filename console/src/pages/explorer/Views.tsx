import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import { Menu, MenuItem } from '../../components/menu/Menu.tsx';
import { isType } from './fields.ts';
import { columnsIn, conditionsIn, type ExplorerSearch, typeOf, whereOf } from './search.ts';
import * as texts from './texts.ts';

type View = Resources['explorer-saved-queries'];

interface ViewsProps {
  readonly organization: string;
  readonly search: ExplorerSearch;
  readonly onOpen: (search: ExplorerSearch) => void;
}

/** Menu of the saved views, and dialogs that save the current query or delete the opened view. */
export function Views({ organization, search, onOpen }: ViewsProps) {
  const [asks, setAsks] = useState<'save' | 'delete'>();
  const path = { organization_name: organization };
  const list = useQuery(
    workspaces.query('GET /organizations/{organization_name}/explorer/views', { path, query: { 'page[size]': '100' } }),
  );
  const views = list.data?.data ?? [];
  const opened = views.find(({ id }) => id === search.view);
  return (
    <>
      <Menu button={opened?.attributes.name ?? texts.views}>
        {views.length === 0 && <MenuItem off={texts.noViews}>{texts.views}</MenuItem>}
        {views.map((view) => (
          <MenuItem key={view.id} checked={view.id === search.view} onChoose={() => onOpen(searchOf(view))}>
            {view.attributes.name}
          </MenuItem>
        ))}
      </Menu>
      <Button onClick={() => setAsks('save')}>{texts.saveView}</Button>
      {opened && <Button onClick={() => setAsks('delete')}>{texts.deleteView}</Button>}
      {asks === 'save' && (
        <SaveDialog
          organization={organization}
          search={search}
          onClose={() => setAsks(undefined)}
          onSaved={(view) => onOpen({ ...search, view })}
        />
      )}
      {asks === 'delete' && opened && (
        <DeleteDialog
          organization={organization}
          view={opened}
          onClose={() => setAsks(undefined)}
          onDeleted={() => onOpen({})}
        />
      )}
    </>
  );
}

/** Returns the search parameters of a saved view. */
function searchOf({ id, attributes: { query, 'query-type': type } }: View): ExplorerSearch {
  const where = whereOf(query.filter.map(({ field, operator, value }) => ({ field, operator, value: value[0] ?? '' })));
  return {
    view: id,
    ...(isType(type) && { type }),
    ...(where !== undefined && { where }),
    ...(query.sort.length > 0 && { sort: query.sort.join() }),
    ...(query.fields.length > 0 && { fields: query.fields.join() }),
  };
}

interface SaveDialogProps {
  readonly organization: string;
  readonly search: ExplorerSearch;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

function SaveDialog({ organization, search, onClose, onSaved }: SaveDialogProps) {
  const [name, setName] = useState('');
  const save = useChange(
    () => {
      const type = typeOf(search);
      const filter = conditionsIn(search).map(({ value, ...one }) => ({ ...one, value: value === '' ? [] : [value] }));
      const sort = search.sort === undefined ? [] : search.sort.split(',');
      const query = { type, filter, sort, fields: [...columnsIn(search)] };
      return workspaces.send('POST /organizations/{organization_name}/explorer/views', {
        path: { organization_name: organization },
        body: { data: { type: 'explorer-saved-queries', attributes: { name, 'query-type': type, query } } },
      });
    },
    ({ data }) => {
      announce(texts.saved(name));
      onClose();
      onSaved(data.id);
    },
  );
  return (
    <AskDialog
      title={texts.saveView}
      action={texts.saveView}
      onAction={() => save.mutate()}
      onClose={onClose}
      busy={save.isPending}
      fault={save.error}
      off={name.trim() === '' && texts.enterAName}
    >
      <Field label={texts.viewName} name="name" help={texts.viewHelp} value={name} maxLength={90} onText={setName} />
    </AskDialog>
  );
}

interface DeleteDialogProps {
  readonly organization: string;
  readonly view: View;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteDialog({ organization, view, onClose, onDeleted }: DeleteDialogProps) {
  const remove = useChange(
    () =>
      workspaces.send('DELETE /organizations/{organization_name}/explorer/views/{view_id}', {
        path: { organization_name: organization, view_id: view.id },
      }),
    () => {
      announce(texts.deleted);
      onClose();
      onDeleted();
    },
  );
  return (
    <AskDialog
      title={texts.deletes(view.attributes.name)}
      action={texts.deleteView}
      destroys
      onAction={() => remove.mutate()}
      onClose={onClose}
      busy={remove.isPending}
      fault={remove.error}
    >
      <p>{texts.deletesForAll}</p>
    </AskDialog>
  );
}
