/** Every feature of Monaco's editor. They register themselves; an editor made before has none of them. */
import 'monaco-editor/features/register.all'
