import 'attention-live';
import DefaultTheme from 'vitepress/theme';

export default DefaultTheme;
