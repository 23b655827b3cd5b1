/** What the writer of YAML needs, as a module that is loaded when it is wanted: bundled, `import('yaml')` itself has no names. */
export { Document, visit } from 'yaml'
