; What Belay's installer asks beside the folder it goes to. All of it is the person's own part of the registry: no elevation.
; electron-builder reads this before its own macros, so all that needs those stands in macros that it uses later.
!include LogicLib.nsh
!include nsDialogs.nsh

!ifndef BUILD_UNINSTALLER
  Var FolderMenuBox
  Var FolderMenu

  !macro customPageAfterChangeDir
    Page custom askFolderMenu keepFolderMenu

    Function askFolderMenu
      ; An update asks nothing again: what was chosen stays as it is.
      ${If} ${isUpdated}
        Abort
      ${EndIf}
      !insertmacro MUI_HEADER_TEXT "Menu of folders" "Choose whether the File Explorer offers Belay."
      nsDialogs::Create 1018
      Pop $0
      ${NSD_CreateCheckbox} 0 0 100% 12u "Add 'Open with Belay' to the menu of folders"
      Pop $FolderMenuBox
      nsDialogs::Show
    FunctionEnd

    Function keepFolderMenu
      ${NSD_GetState} $FolderMenuBox $FolderMenu
    FunctionEnd
  !macroend

  !macro addFolderMenu KEY ARGUMENT
    WriteRegStr HKCU "Software\Classes\${KEY}\shell\Belay" "" "Open with Belay"
    WriteRegStr HKCU "Software\Classes\${KEY}\shell\Belay" "Icon" "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
    WriteRegStr HKCU "Software\Classes\${KEY}\shell\Belay\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "${ARGUMENT}"'
  !macroend

  !macro customInstall
    ${If} $FolderMenu == ${BST_CHECKED}
      !insertmacro addFolderMenu "Directory" "%1"
      !insertmacro addFolderMenu "Directory\Background" "%V"
    ${EndIf}
  !macroend
!endif

!macro customUnInstall
  ${IfNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\Directory\shell\Belay"
    DeleteRegKey HKCU "Software\Classes\Directory\Background\shell\Belay"
  ${EndIf}
!macroend
