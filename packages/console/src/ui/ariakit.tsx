/** Menus and tabs with Ariakit, which handles keyboard, typeahead and focus. Loaded after the first paint. */
import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react/menu'
import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react/tab'
import type { ActionMenuProps, TabsProps } from './menu-types.js'

export function AriakitMenu({ label, face, choices, children }: ActionMenuProps) {
  return (
    <MenuProvider>
      <MenuButton className="button" data-kind="quiet" aria-label={label}>
        {face}
      </MenuButton>
      <Menu className="menu" gutter={4} portal>
        {children}
        {choices.map((choice, index) =>
          choice === null ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike
            <hr key={index} className="menu-line" />
          ) : (
            <MenuItem key={choice.id} className="menu-item" onClick={choice.onChoose}>
              {choice.icon}
              {choice.label}
            </MenuItem>
          ),
        )}
      </Menu>
    </MenuProvider>
  )
}

export function AriakitTabs({ label, value, tabs, onChange }: TabsProps) {
  const current = tabs.find((each) => each.id === value) ?? tabs[0]
  return (
    <TabProvider selectedId={current?.id ?? null} setSelectedId={(id) => id != null && onChange(id)}>
      <TabList className="tabs" aria-label={label}>
        {tabs.map(({ id, label: text }) => (
          <Tab key={id} id={id} className="tab">
            {text}
          </Tab>
        ))}
      </TabList>
      {current !== undefined && (
        <TabPanel tabId={current.id} className="stack" focusable={false}>
          {current.content()}
        </TabPanel>
      )}
    </TabProvider>
  )
}
